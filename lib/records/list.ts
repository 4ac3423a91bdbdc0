import { ownerOf } from "../contact/mod.ts";
import { whenUnlocked } from "../kv/mod.ts";
import type { OrganisationKey } from "../surfaces/mod.ts";
import { readRecord, type RecordEntry } from "./store.ts";

/** A page of an organisation's records, newest first. */
export interface RecordList {
  records: RecordEntry[];
  /** Continues after this page; null on the last one. */
  next: string | null;
}

export const LIST_SIZE = 25;

/** Where a page continues: the time and the hash of the last record of the page before it. */
const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)_([\da-f]{64})$/;

/**
 * Lists the records of one organisation.
 *
 * @param cursor continues after an earlier page. An invalid one starts at the beginning.
 */
export function listRecords(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  cursor: string | null,
): Promise<RecordList> {
  return whenUnlocked(async () => {
    const prefix = ["contacts_by_time", organisation];
    const [, ...after] = CURSOR.exec(cursor ?? "") ?? [];
    const selector = after.length === 0 ? { prefix } : { prefix, end: [...prefix, ...after] };
    const keys = await Array.fromAsync(
      kv.list(selector, { limit: LIST_SIZE, reverse: true }),
      ({ key }) => key.slice(2).map(String),
    );
    const records = await Promise.all(keys.map(([, hash]) => readRecord(kv, hash)));
    return {
      records: records.filter((record) => record !== null),
      next: keys.length === LIST_SIZE ? keys.at(-1)!.join("_") : null,
    };
  });
}

/** Reads a record of one organisation. Returns null if it belongs to the other one. */
export async function readRecordOf(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  hash: string,
): Promise<RecordEntry | null> {
  const record = await readRecord(kv, hash);
  return record !== null && ownerOf(record.contact.value) === organisation ? record : null;
}
