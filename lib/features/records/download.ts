import { formatSavedChain, type LinkedEvent } from "../chain/mod.ts";
import { type Chains, MAX_PAGE_SIZE } from "../chain/store/mod.ts";
import { unlessReadOnly, whenUnlocked } from "../../platform/kv/mod.ts";
import { addAccess, type Reader } from "./access_log.ts";
import { readRecord } from "./store.ts";

/**
 * Returns everything that a holder can download, as the text of a file that `deno task verify`
 * checks: the record, its salt, the whole chain and the publisher's keys. The download is logged.
 *
 * @returns null if the record does not exist
 */
export async function downloadRecord(
  { kv, clock, chains }: { kv: Deno.Kv; clock: () => number; chains: Chains },
  hash: string,
  reader: Reader,
): Promise<string | null> {
  const [found, chain, { keys }] = await Promise.all([
    readRecord(kv, hash),
    readChain(chains, hash),
    chains.keys(),
  ]);
  if (found === null || chain === null) return null;
  const commit = kv.atomic().check(found.contact);
  addAccess(commit, hash, { what: "exported", reader }, clock());
  const logged = await unlessReadOnly(() => whenUnlocked(() => commit.commit()));
  if (logged?.ok === false) return null; // deleted in the meantime
  const { row, contact: { value: contact } } = found;
  const { record, salt, registered_at, confirmed_at, declarations = [] } = contact;
  const saved = { hash, publisher: chains.publisher, record, salt, keys, ...chain };
  return formatSavedChain(saved, {
    registered_at,
    email_confirmed_at: confirmed_at,
    mobile_confirmed_at: row.mobile_confirmed_at,
    declarations,
    level: row.level,
    levels_reached: row.reached,
    replaces: row.replaces,
    replaced_by: row.replaced_by,
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
