import { changeLists, type ContactIndex, listedAs } from "../contact/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { contactStep, isInForce } from "./index_contacts.ts";
import { readRecord } from "./store.ts";

/** Adds the records of earlier builds to the lists of the filters, and to the index of words. */
export const indexListsMigration = (
  options: { kv: Deno.Kv; index: ContactIndex },
): Migration => ({
  name: "record_lists",
  label: "lists and words of records",
  format: 7,
  beside: "records can change meanwhile, and the pages say that lists and searches are incomplete",
  step: contactStep(options.kv, (hashes) => addToLists(options, hashes)),
});

const addToLists = (
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  hashes: readonly string[],
): Promise<void> =>
  transact(async () => {
    const commit = kv.atomic();
    for (const record of await Promise.all(hashes.map((hash) => readRecord(kv, hash)))) {
      if (record === null) continue;
      const { hash, contact, entry, row } = record;
      commit.check(contact, entry);
      const after = listedAs(contact.value, row.level);
      changeLists(commit, hash, contact.value, { before: null, after });
      if (await isInForce(kv, record, commit)) await index.words.add(commit, hash, contact.value);
    }
    return { result: undefined, commit };
  });
