/** Descriptions of the operations that register records, and read their chains and keys. */
import { chainLogQuerySchema, chainLogSchema } from "../../log/mod.ts";
import { hashSchema, headSchema, KEYS_PATH, keySetSchema } from "../../../../packages/proof/mod.ts";
import {
  chainFeedSchema,
  locationQuerySchema,
  locationSchema,
  pageQuerySchema,
} from "../../chain/mod.ts";
import { HONEYPOT, registeredSchema, registerQuery, submissionSchema } from "../../contact/mod.ts";
import { PUBLIC } from "../../../platform/http/cors.ts";
import { readFeedQuery } from "../../../platform/http/feed.ts";
import { readFirstOfEach, readLastOfEach } from "../../../platform/http/query.ts";
import { z } from "zod";
import { EVENTS, HASH, HEAD, KEYS } from "../examples.ts";
import { invalid, limited, NOT_MODIFIED, type Operation } from "../operation.ts";

const STREAM = `retry: 3000
id: 1

id: 2
data: {"seq":2,"kind":"record_verified","at":"2026-03-02T10:00:00.000Z","status":"ok","prev":"…","hash":"…"}

`;

export const registerRecord = {
  id: "registerRecord",
  group: "Records",
  method: "post",
  path: "/api/ir/register",
  surfaces: ["api"],
  summary: "Register a record",
  description: "Registers an enquiry as a verifiable record, begins its chain, and emails a link " +
    "that confirms the address. Repeat a request that got no response with the same " +
    "`Idempotency-Key`. Pages need an allowed origin: our own, or one in `CONTACT_ORIGINS`. " +
    "Programs send no `Origin`.",
  properties: {
    audience: "both",
    crossSite: "all",
    noAuthority: "Anyone may send an enquiry.",
  },
  // A page of any site may read the response, which tells it if it may not use the form.
  cors: { isAllowed: () => true, methods: ["POST"] },
  query: registerQuery,
  readQuery: readLastOfEach,
  requestHeaders: ["Idempotency-Key"],
  body: submissionSchema,
  undocumented: [HONEYPOT],
  responses: { 201: { description: "The record is registered.", schema: registeredSchema } },
  errors: {
    400: {
      codes: ["invalid_request", "too_fast", "challenge_failed"],
      description: "A field is invalid, the form was open for less than two seconds, or the bot " +
        "challenge was not passed.",
    },
    403: { codes: ["forbidden"], description: "The origin is not allowed to embed the form." },
    409: {
      codes: ["idempotency_mismatch"],
      description: "Another enquiry was registered with this `Idempotency-Key`.",
    },
    429: limited("This client has registered too many records in the last hour."),
  },
  example: {
    body: {
      name: "Ada Example",
      email: "ada@example.org",
      mobile: { country: "AU", number: "0491 570 006" },
      enquiry_type: "Technical",
      message: "How do I verify a chain?",
      elapsed_ms: 8000,
    },
    response: {
      hash: HASH,
      organisation: "Certification Infrastructure",
      head: { ...HEAD, size: 1, tip: EVENTS[0].hash, at: EVENTS[0].at },
      events: EVENTS.slice(0, 1),
      masked: { email: "a•••@e•••.org", mobile: "+61 ••• ••• 006" },
      chain_url: `https://api.example/api/chain/${HASH}`,
      verify_url: `https://trust.example/verify?hash=${HASH}`,
    },
  },
} satisfies Operation;

export const readChain = {
  id: "readChain",
  group: "Records",
  method: "get",
  path: "/api/chain/:hash",
  surfaces: ["api"],
  summary: "Read or follow a chain",
  description: "Returns events in ascending order of `seq`, and the signed head. Without " +
    "`before` and `after`, these are the newest events. `?after=<last seq>&tip=<last hash>` " +
    "continues where you stopped. For `Accept: text/event-stream`, the same URL sends new " +
    "events as they are appended; the `id` is the `seq`, and a comment arrives every 15 " +
    "seconds. The stream ends after about five minutes: reconnect with `Last-Event-ID`.",
  properties: { audience: "both" },
  cors: {
    ...PUBLIC,
    requestHeaders: ["if-none-match", "last-event-id"],
    responseHeaders: ["ETag", "Link", "Retry-After"],
  },
  params: z.object({ hash: hashSchema.describe("The hash of the record.") }),
  query: pageQuerySchema,
  readQuery: readFeedQuery,
  requestHeaders: ["If-None-Match", "Last-Event-ID"],
  responses: {
    200: {
      description: "A page of the chain.",
      schema: chainFeedSchema,
      optionalHeaders: ["ETag", "Link"],
    },
    304: NOT_MODIFIED,
  },
  stream: STREAM,
  errors: {
    400: invalid("A parameter is invalid, unknown or repeated."),
    404: { codes: ["not_found"], description: "There is no such chain." },
    409: {
      codes: ["chain_rewritten"],
      description: "Your position is beyond the head, or `tip` differs. Discard your events, " +
        "start over, and tell the user: a chain should only grow.",
      details: { head: headSchema },
    },
    429: limited("This client has too many open streams."),
  },
  example: {
    params: { hash: HASH },
    query: { limit: "2" },
    response: { hash: HASH, head: HEAD, events: EVENTS, has_more: false },
  },
} satisfies Operation;

export const readChainLog = {
  id: "readChainLog",
  group: "Records",
  method: "get",
  path: "/api/chain/:hash/log",
  surfaces: ["api"],
  summary: "Find a chain in the public log",
  description:
    "Returns the place of each size of a chain in the public log, and the salt that opens " +
    "its entries. For a complete check, compute the entry of every size from 1 to the head's, and " +
    "verify its inclusion with the log's tiles. An index is a hint: compare the entry there.",
  properties: { audience: "programs" },
  cors: { ...PUBLIC, requestHeaders: ["if-none-match"], responseHeaders: ["ETag"] },
  params: z.object({ hash: hashSchema.describe("The hash of the record.") }),
  query: chainLogQuerySchema,
  readQuery: readFeedQuery,
  requestHeaders: ["If-None-Match"],
  responses: {
    200: { description: "Some sizes of the chain.", schema: chainLogSchema, headers: ["ETag"] },
    304: NOT_MODIFIED,
  },
  errors: {
    400: invalid("A parameter is invalid, unknown or repeated."),
    404: {
      codes: ["not_found"],
      description: "There is no such chain, or the log has nothing of it yet.",
    },
  },
  example: {
    params: { hash: HASH },
    query: { limit: "2" },
    response: {
      hash: HASH,
      log: "https://trust.example/log",
      policy:
        "log trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea\nquorum none\n",
      log_salt: "u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s=",
      size: 2,
      entries: [{ size: 1, index: 70211 }, { size: 2, index: 70212 }],
      has_more: false,
    },
  },
} satisfies Operation;

export const locateChain = {
  id: "locateChain",
  group: "Records",
  method: "get",
  path: "/verify",
  surfaces: ["trust"],
  summary: "Find a chain",
  description: "Returns where a chain and its publisher's keys are. This is the URL in the QR " +
    "code of a registration.",
  query: locationQuerySchema,
  readQuery: readFirstOfEach,
  hasPage: true,
  responses: { 200: { description: "The URLs.", schema: locationSchema } },
  errors: {
    400: invalid("The text contains no hash of a record."),
    404: { codes: ["not_found"], description: "There is no such chain." },
  },
  example: {
    query: { hash: HASH },
    response: {
      hash: HASH,
      publisher: "trust.example",
      chain_url: `https://api.example/api/chain/${HASH}`,
      keys_url: `https://trust.example${KEYS_PATH}`,
    },
  },
} satisfies Operation;

export const listChainKeys = {
  id: "listChainKeys",
  group: "Records",
  method: "get",
  path: KEYS_PATH,
  surfaces: ["trust"],
  summary: "Get the publisher's keys",
  description: "Every public key whose heads verify, as a JWK Set (RFC 7517).",
  properties: { audience: "programs" },
  cors: PUBLIC,
  responses: {
    200: {
      description: "The keys.",
      schema: keySetSchema,
      type: "application/jwk-set+json",
    },
  },
  errors: {},
  example: { response: KEYS },
} satisfies Operation;

export const RECORD_OPERATIONS: readonly Operation[] = [
  registerRecord,
  readChain,
  readChainLog,
  locateChain,
  listChainKeys,
];
