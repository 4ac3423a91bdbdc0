/** Descriptions of the operations that check documents and keys. */
import { checkQuerySchema, checkReportSchema } from "../../documents/mod.ts";
import { keyReportSchema, keySchema } from "../../records/mod.ts";
import { readFirstOfEach } from "../../../platform/http/query.ts";
import { HASH } from "../examples.ts";
import { invalid, limited, NOT_MODIFIED, type Operation } from "../operation.ts";

const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const checkDocument = {
  id: "checkDocument",
  group: "Checks",
  method: "get",
  path: "/check",
  surfaces: ["trust"],
  summary: "Check a document",
  description: "Reports whether a file is a registered document, by its SHA-256 hash. The file " +
    "itself is not sent, and nothing is added to a chain. Anybody who has a file can register it, so the " +
    "report has a match for each organisation that did, and the first one decides the state: compare its " +
    "`issuer_domain` with that of the organisation which the document names. A file that is not registered " +
    "and one whose hash may not be confirmed to everyone get the same report, with the state " +
    "`not_registered`.",
  query: checkQuerySchema,
  readQuery: readFirstOfEach,
  requestHeaders: ["If-None-Match"],
  hasPage: true,
  responses: {
    200: { description: "The report.", schema: checkReportSchema, headers: ["ETag"] },
    304: NOT_MODIFIED,
  },
  errors: {
    400: invalid("This is not a SHA-256 hash."),
    429: limited("This client has checked too many files in the last minute."),
  },
  example: {
    query: { sha256: SHA256 },
    response: {
      state: "current",
      issuer: "Harbour College",
      sha256: SHA256,
      matches: [{
        state: "current",
        since: "2026-03-01T09:30:00.000Z",
        form: "original",
        title: "Certificate",
        issuer: "Harbour College",
        issuer_domain: "harbour.example",
        issuer_domain_verified_at: "2026-02-20T08:00:00.000Z",
        registrar: "Certification Infrastructure",
        version: 1,
        registered_at: "2026-03-01T09:30:00.000Z",
        first_registered_at: "2026-03-01T09:30:00.000Z",
        url: "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
      }],
      more_issuers: 0,
    },
  },
} satisfies Operation;

export const checkKey = {
  id: "checkKey",
  group: "Checks",
  method: "post",
  path: "/k",
  surfaces: ["trust"],
  summary: "Check a holder's key",
  description: "Looks up the key on a holder's card. Verify the chain at `chain_url` yourself; " +
    "the level is a statement by the publisher. For a key that was replaced or revoked, the " +
    "response contains only its `state` and the time.",
  properties: { onlyReads: true, noAuthority: "Anyone may check a key." },
  hasPage: true,
  body: keySchema,
  responses: { 200: { description: "The report.", schema: keyReportSchema } },
  errors: {
    400: invalid("The text is not a key."),
    404: { codes: ["not_found"], description: "The key is not known here." },
    429: limited("This client has looked up too many keys in the last minute."),
  },
  example: {
    body: { key: "7ZK4M-Q2XVD-8H3TB-N6RWC-5JPYF-9" },
    response: {
      state: "current",
      hash: HASH,
      level: 3,
      stated_by: "Certification Infrastructure",
      publisher: "trust.example",
      chain_url: `https://api.example/api/chain/${HASH}`,
      keys_url: "https://trust.example/.well-known/chain-keys.json",
      verify_url: `https://trust.example/verify?hash=${HASH}`,
      levels_url: "https://trust.example/levels",
    },
  },
} satisfies Operation;

export const CHECK_OPERATIONS: readonly Operation[] = [
  checkDocument,
  checkKey,
];
