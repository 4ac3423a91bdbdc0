/** The file with everything that a record says, for its holder. */
import { type Chains, MAX_PAGE_SIZE } from "../chain/mod.ts";
import { formatSavedChain, type LinkedEvent } from "../../../packages/proof/mod.ts";
import { countIn, unlessReadOnly } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import { HOUR_MS } from "../../base/time.ts";
import { addAccess, type Reader } from "./access_log/access_log.ts";
import type { WithNotices } from "./notices/notices.ts";
import { readRecord, recordRows } from "./record/store.ts";

/** Notices of downloads per record and hour, so that nobody can bury other mail under them. */
const NOTICES_PER_HOUR = 5;

type DownloadOptions = Pick<
  WithNotices,
  "kv" | "clock" | "chains" | "logProofs" | "notices" | "mailer" | "recordData"
>;

/**
 * Returns everything that a holder can download, as the text of a file that `deno task verify`
 * checks: the record, its salt, what other features store for it, the whole chain, the publisher's keys, and the
 * proof that it is in the public log. The download is logged, and mailed to the confirmed address.
 *
 * @returns null if the record does not exist
 */
export async function downloadRecord(
  options: DownloadOptions,
  hash: string,
  reader: Reader,
): Promise<string | null> {
  const { kv, chains, logProofs, recordData } = options;
  const proofs = logProofs.source(hash);
  const [found, chain, { keys }, more, newest] = await Promise.all([
    readRecord(kv, hash),
    readChain(chains, hash),
    chains.keys(),
    Promise.all(recordData().map((each) => each.download?.(hash))),
    kv.get(proofs.key),
  ]);
  if (found === null || chain === null) return null;
  const logged = await unlessReadOnly(() => report(options, hash, reader));
  if (logged === false) return null; // deleted in the meantime
  const log_proof = await (await proofs.find(chain.head.size, newest))?.read();
  const { row, contact: { value: contact } } = found;
  const { record, salt, registered_at, confirmed_at, declarations = [] } = contact;
  const saved = { hash, publisher: chains.publisher, record, salt, keys, log_proof, ...chain };
  return formatSavedChain(saved, {
    registered_at,
    email_confirmed_at: confirmed_at,
    mobile_confirmed_at: row.mobile_confirmed_at,
    declarations,
    level: row.level,
    levels_reached: row.reached,
    replaces: row.replaces,
    replaced_by: row.replaced_by,
    ...Object.assign({}, ...more),
  });
}

/** Logs a download and mails the notice. Returns false if the record does not exist. */
async function report(
  { kv, clock, notices, mailer }: DownloadOptions,
  hash: string,
  reader: Reader,
): Promise<boolean> {
  return await transactAndMail<boolean>(mailer, async () => {
    countIn(kv, recordRows.key(hash));
    const record = await readRecord(kv, hash);
    if (record === null) return { result: false };
    const now = clock();
    const { contact, entry, row } = record;
    const commit = kv.atomic().check(contact, entry);
    addAccess(commit, hash, { what: "exported", reader }, now);
    const mailed = (row.exports_mailed ?? []).filter((at) => now - Date.parse(at) < HOUR_MS);
    if (mailed.length >= NOTICES_PER_HOUR) return { result: true, commit };
    const exports_mailed = [...mailed, new Date(now).toISOString()];
    recordRows.replace(commit, entry, { ...row, exports_mailed });
    const undo = { act: "sign_out" } as const;
    const mails = await notices.add(commit, { record, kind: "exported", undo, reader }, now);
    return { result: true, commit, mails };
  });
}

/** Reads a whole chain and the head that covers it. */
async function readChain(chains: Chains, hash: string) {
  const events: LinkedEvent[] = [];
  while (true) {
    const page = await chains.page(hash, { after: events.length - 1, limit: MAX_PAGE_SIZE });
    if (page === null) return null;
    events.push(...page.events);
    if (events.length >= page.head.size) return { head: page.head, events };
  }
}
