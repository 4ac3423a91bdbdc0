import { parseConfig } from "../lib/config.ts";
import { createDocuments, type Documents } from "../lib/documents/mod.ts";

/** The documents of the crash test, whose PDFs are not issued. */
export const crashDocuments = (kv: Deno.Kv, clock: () => number): Documents => {
  const config = parseConfig({});
  return createDocuments({
    kv,
    clock,
    config: config.documents,
    fetch,
    log: () => {},
    issuers: config.organisations,
    trustUrl: (path) => path,
  });
};
