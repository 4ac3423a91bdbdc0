import { transact } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { contactStep, readRecord } from "../records/mod.ts";
import { rowOf } from "./enquiry.ts";
import { isEnquiry } from "./list.ts";
import { enquiries } from "./store.ts";

/**
 * Adds the closed enquiries of earlier builds to the index by state, with a row for those that had
 * none.
 */
export const indexClosedMigration = (kv: Deno.Kv): Migration => ({
  name: "closed_enquiries",
  label: "closed enquiries",
  format: 7,
  beside: "enquiries can change meanwhile, and the pages say that the list is incomplete",
  step: contactStep(kv, (hashes) => addRows(kv, hashes)),
});

const addRows = (kv: Deno.Kv, hashes: readonly string[]): Promise<void> =>
  transact(async () => {
    const commit = kv.atomic();
    for (const hash of hashes) {
      const [record, entry] = await Promise.all([readRecord(kv, hash), enquiries.get(kv, hash)]);
      if (record === null || !isEnquiry(record)) continue;
      const row = entry.value ?? rowOf(record);
      if (row.state !== "closed") continue;
      commit.check(record.contact, record.entry, entry);
      enquiries.set(commit, row);
    }
    return { result: undefined, commit };
  });
