import {
  changeLists,
  type ContactIndex,
  contacts,
  listedAs,
  type StoredContact,
} from "../contact/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { isInForce } from "./index_contacts.ts";
import { withRows } from "./list.ts";

/** A record has up to 37 keys of some 150 bytes, and a commit at most 80 KiB of keys. */
const BATCH = 10;

/**
 * Adds the records of earlier builds to the lists of the filters, and to the index of words. The cursor is
 * the hash of the last record.
 */
export const indexListsMigration = (
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
): Migration => ({
  name: "record_lists",
  format: 7,
  step: {
    async batch(cursor) {
      // This is the smallest key after the cursor, because `start` includes its key.
      const selector = { prefix: [contacts.prefix], start: contacts.key(`${cursor}\0`) };
      const found = await Array.fromAsync(kv.list<StoredContact>(selector, { limit: BATCH }));
      const records = await withRows(kv, found);
      const words = await Promise.all(
        records.map(async (record) =>
          await isInForce(kv, record)
            ? await index.words.keys(record.hash, record.contact.value)
            : []
        ),
      );
      return {
        next: found.length < BATCH ? null : String(found.at(-1)!.key[1]),
        addToCommit(commit) {
          for (const key of words.flat()) commit.set(key, true);
          for (const { hash, contact, row } of records) {
            const after = listedAs(contact.value, row.level);
            changeLists(commit, hash, contact.value, { before: null, after });
          }
        },
      };
    },
  },
});
