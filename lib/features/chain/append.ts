/** Appends signed events to a record's chain, and signs heads again after a key or host has changed. */
import { reserveCheck, transact } from "../../platform/kv/mod.ts";
import {
  type EventKind,
  type Head,
  headOrigin,
  type LinkedEvent,
  linkEvent,
  signHead,
  type SigningKey,
} from "../../../packages/proof/mod.ts";
import { countEvent } from "./counts.ts";
import { chainEvents, heads } from "./page.ts";

/**
 * Adds checks and writes to the commit that appends an event, so that either all of them succeed or
 * none. It runs again with a new commit and event if another writer was faster, so it must have no
 * other effects. The append is cancelled if it returns `false` or throws; an error is passed on.
 */
export type AddToCommit = (
  commit: Deno.AtomicOperation,
  event: LinkedEvent,
) => boolean | void | Promise<boolean | void>;

/**
 * Adds to the commit of every event, at the same time as the function that appends it. It may run again,
 * like {@link AddToCommit}, and the append may be cancelled.
 *
 * @returns what to do once the commit has succeeded; it must not throw
 */
export type AddToEvent = (
  commit: Deno.AtomicOperation,
  hash: string,
  event: LinkedEvent,
) => Promise<(() => void) | undefined>;

interface Appended {
  event: LinkedEvent;
  head: Head;
}

interface Writer {
  kv: Deno.Kv;
  clock: () => number;
  publisher: string;
  key: SigningKey;
  addToEvent?: AddToEvent;
}

interface Append {
  hash: string;
  kind: EventKind;
  /** True if this is event 0. Any other event requires an existing chain. */
  begin: boolean;
  addToCommit?: AddToCommit;
}

/**
 * Appends an event in a commit that checks the previous head (standard, "Appending"), so that no two
 * events share a `seq`.
 *
 * @returns null if the chain does not exist or `addToCommit` returned `false`
 * @throws {Error} (rejects) if `begin` is true and the chain exists
 */
export async function appendEvent(
  { kv, clock, publisher, key, addToEvent }: Writer,
  { hash, kind, begin, addToCommit }: Append,
): Promise<Appended | null> {
  let committed: (() => void) | undefined;
  const appended = await transact<Appended | null>(async () => {
    const before = await heads.get(kv, hash);
    if (begin && before.value !== null) throw new Error(`The record ${hash} already has a chain.`);
    if (!begin && before.value === null) return { result: null };

    const { size: seq, tip, at: latest } = before.value ?? { size: 0, tip: hash, at: "" };
    const at = laterOf(latest, clock());
    const event = await linkEvent(tip, { seq, kind, at, status: "ok" });
    const statement = { origin: headOrigin(publisher, hash), size: seq + 1, tip: event.hash, at };
    const head = await signHead(statement, key);

    const commit = kv.atomic().check(before);
    reserveCheck(commit);
    heads.put(commit, [hash], head);
    chainEvents.put(commit, [hash, seq], event);
    countEvent(commit, kind);
    // Together, so that their reads take one round trip.
    const [added, run] = await Promise.all([
      addToCommit?.(commit, event),
      addToEvent?.(commit, hash, event),
    ]);
    if (added === false) return { result: null };
    committed = run;
    return { result: { event, head }, commit };
  });
  if (appended !== null) committed?.();
  return appended;
}

/**
 * Adds events that were lost, with the head that covers them.
 *
 * @param before the head that they follow
 * @throws {Error} (rejects) if the chain has changed
 */
export async function addChainRows(
  kv: Deno.Kv,
  before: Deno.KvEntryMaybe<Head>,
  head: Head,
  events: readonly LinkedEvent[],
): Promise<void> {
  const record = String(before.key[1]);
  const commit = kv.atomic();
  reserveCheck(commit);
  heads.replace(commit, before, head);
  for (const event of events) {
    chainEvents.put(commit, [record, event.seq], event);
    countEvent(commit, event.kind);
  }
  if (!(await commit.commit()).ok) throw new Error(`The chain of ${record} has changed.`);
}

/**
 * Signs every head whose key or origin differs from the writer's: needed after a key was disclosed
 * (standard, "Changing keys") and after the trust surface moved to another host. Events do not
 * change. The site may append events at the same time.
 *
 * @returns the number of heads that were signed
 */
export async function resignHeads({ kv, clock, publisher, key }: Writer): Promise<number> {
  let signed = 0;
  for await (const { key: [, hash] } of heads.list(kv, [])) {
    const origin = headOrigin(publisher, String(hash));
    const changed = await transact(async () => {
      const entry = await heads.get(kv, hash);
      const old = entry.value;
      if (old === null || (old.kid === key.kid && old.origin === origin)) return { result: false };
      const { size, tip } = old;
      const commit = kv.atomic().check(entry);
      reserveCheck(commit);
      const statement = { origin, size, tip, at: laterOf(old.at, clock()) };
      heads.put(commit, [hash], await signHead(statement, key));
      return { result: true, commit };
    });
    if (changed) signed++;
  }
  return signed;
}

/** Returns the current time, or the latest time in the chain if the clock was set back. */
function laterOf(latest: string, now: number): string {
  const at = new Date(now).toISOString();
  return at < latest ? latest : at;
}
