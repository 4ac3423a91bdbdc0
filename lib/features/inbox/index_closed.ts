import { contacts, type StoredContact } from "../contact/mod.ts";
import { withRows } from "../records/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { rowOf } from "./enquiry.ts";
import { isEnquiry } from "./list.ts";
import { enquiries } from "./store.ts";

const BATCH = 200;

/**
 * Adds the closed enquiries of earlier builds to the index by state, with a row for those that had
 * none. The cursor is the hash of the last record.
 */
export const indexClosedMigration = (kv: Deno.Kv): Migration => ({
  name: "closed_enquiries",
  format: 7,
  step: {
    async batch(cursor) {
      // This is the smallest key after the cursor, because `start` includes its key.
      const selector = { prefix: [contacts.prefix], start: contacts.key(`${cursor}\0`) };
      const found = await Array.fromAsync(kv.list<StoredContact>(selector, { limit: BATCH }));
      const records = (await withRows(kv, found)).filter(isEnquiry);
      const rows = await enquiries.getMany(kv, records.map(({ hash }): [string] => [hash]));
      const stored = new Map(rows.map(({ value }) => [value.record, value]));
      return {
        next: found.length < BATCH ? null : String(found.at(-1)!.key[1]),
        addToCommit(commit) {
          for (const record of records) {
            const row = stored.get(record.hash) ?? rowOf(record);
            if (row.state === "closed") enquiries.set(commit, row);
          }
        },
      };
    },
  },
});
