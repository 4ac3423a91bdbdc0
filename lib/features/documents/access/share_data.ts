/**
 * The part of links in the sign-outs, corrections and downloads of a record.
 *
 * @module
 */
import { transact } from "../../../platform/kv/mod.ts";
import {
  addAccess,
  readExisting,
  type RecordData,
  SITE,
  UNDO_LIFETIME_MS,
} from "../../records/mod.ts";
import {
  afterEnd,
  describeShare,
  listLinks,
  listShares,
  type ShareRow,
  shares,
} from "./share_rows.ts";

/**
 * Moves all links to the documents of a record to another one. The requests for access must have moved before,
 * because a new link of a person belongs to the record of the request.
 *
 * @param undoneSince links of the holder's that were created since then end, as in `RecordData.move`
 */
export async function moveLinks(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  from: string,
  to: string,
  undoneSince?: string,
): Promise<void> {
  for (const { hash } of await listLinks(kv, from, clock())) {
    await transact(async () => {
      const entry = await shares.get(kv, hash);
      const row = entry.value;
      if (row?.record !== from) return { result: undefined };
      const now = clock();
      const commit = kv.atomic().check(entry);
      shares.delete(commit, row);
      // The person who made the correction may have shared documents with themselves.
      const isEnded = undoneSince !== undefined && row.person === null &&
        row.created_at >= undoneSince;
      const ended = isEnded ? afterEnd(row, now) : null;
      if (ended !== null) {
        const detail = describeShare(row);
        addAccess(commit, to, { what: "share_ended", reader: SITE, detail }, now);
      }
      shares.set(commit, { ...ended ?? row, record: to }, now);
      return { result: undefined, commit };
    });
  }
}

/**
 * Ends holders' links on a sign-out everywhere, a recovery or an undo, and adds them to the download. They move
 * with the requests for access, whose ends also end the links of their people.
 */
export function shareData(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): RecordData {
  /** Ends those links of a holder that a function chooses. */
  async function endAll(hash: string, ends: (row: ShareRow) => boolean): Promise<void> {
    for (const { hash: key } of (await listShares(kv, hash, clock())).filter(ends)) {
      await transact(async () => {
        const now = clock();
        const [entry, record] = await Promise.all([shares.get(kv, key), readExisting(kv, hash)]);
        const row = entry.value;
        const ended = row?.record === hash ? afterEnd(row, now) : null;
        if (ended === null || record === null) return { result: undefined };
        const commit = kv.atomic().check(record.contact);
        shares.replace(commit, entry, ended, now);
        const detail = describeShare(ended);
        addAccess(commit, hash, { what: "share_ended", reader: SITE, detail }, now);
        return { result: undefined, commit };
      });
    }
  }

  return {
    name: "shared links",
    // The holder has had seven days to undo the creation of earlier links, which stay.
    async signOut(hash, session) {
      if (session !== null) return;
      const since = clock() - UNDO_LIFETIME_MS;
      await endAll(hash, ({ created_at }) => Date.parse(created_at) > since);
    },
    endAccess: (hash) => endAll(hash, () => true),
    async download(hash) {
      const rows = await listShares(kv, hash, clock());
      return {
        document_shares: rows.map(({ hash: _, record: __, opened, ...share }) => ({
          ...share,
          opened: opened.map(({ page: _, ...opening }) => opening),
        })),
      };
    },
    undo: {
      async revoke_share(commit, { record, undo, now }) {
        const entry = await shares.get(kv, undo.share);
        const row = entry.value;
        const ended = row?.record === record.hash ? afterEnd(row, now) : null;
        if (ended === null) return false;
        shares.replace(commit, entry, ended, now);
        const detail = describeShare(ended);
        addAccess(commit, record.hash, { what: "share_ended", reader: SITE, detail }, now);
        return true;
      },
    },
  };
}
