import { transact } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { issuerRows, newIssuer } from "./rows.ts";

/** Adds to the rows of earlier builds the columns that they lack. There are at most 500 per organisation. */
export const completeIssuers = ({ kv }: { kv: Deno.Kv }): Migration => ({
  name: "complete_issuers",
  label: "states and domains of issuers",
  format: 10,
  before: "pages and forms read the state and the domain of each issuer",
  step: {
    async batch() {
      const rows = await Array.fromAsync(issuerRows.list(kv, []), ({ value }) => value);
      for (const { organisation, id } of rows) {
        await transact(async () => {
          const entry = await issuerRows.get(kv, organisation, id);
          if (entry.value === null || entry.value.state !== undefined) return { result: undefined };
          const created = Date.parse(entry.value.created_at);
          const commit = kv.atomic();
          issuerRows.replace(commit, entry, { ...newIssuer(entry.value, created), ...entry.value });
          return { result: undefined, commit };
        });
      }
      return { indexed: rows.length, next: null };
    },
  },
});
