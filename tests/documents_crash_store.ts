import { secretsOf } from "../lib/base/secrets.ts";
import { createDocuments, type Documents } from "../lib/features/documents/mod.ts";
import { createIssuers } from "../lib/features/issuers/issuers.ts";
import { createTestLog } from "../lib/features/log/testing/fixtures.ts";

const ISSUER = { name: "Organisation" };

/** The documents of the crash test, whose PDFs are not issued. They need no configuration, which takes long to load. */
export const crashDocuments = (kv: Deno.Kv, clock: () => number): Documents =>
  createDocuments({
    kv,
    clock,
    config: () => ({ store: "kv" }),
    fetch,
    log: () => {},
    secrets: secretsOf(() => Promise.resolve([new Uint8Array(32)])),
    organisations: { foundation: ISSUER, commercial: ISSUER },
    trustUrl: (path) => path,
    publicLog: createTestLog(kv, clock),
    issuers: createIssuers({
      kv,
      clock,
      organisations: { foundation: ISSUER, commercial: ISSUER },
    }),
  });
