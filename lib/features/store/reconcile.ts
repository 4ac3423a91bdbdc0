/** Compares the chains of a restored database with published heads, before it accepts events again. */
import { type Head, headSchema, verifyHead } from "../../../packages/proof/mod.ts";
import {
  chainEvents,
  type Chains,
  createCheckJob,
  heads,
  type InvalidChain,
} from "../chain/mod.ts";
import { eachOf } from "../../base/slots.ts";
import { transact } from "../../platform/kv/mod.ts";
import { type Restored, STORE_KEY, type StoreMarker } from "../../platform/store/marker.ts";

/**
 * Why the copy is not what was published:
 *
 * - `behind`: it lacks the latest events, and new ones would take their place
 * - `forked`: one of its events differs from the published one
 * - `missing`: it lacks the record
 * - `unverified`: none of the copy's published keys has signed the head
 */
export interface Conflict {
  code: "behind" | "forked" | "missing" | "unverified";
  hash: string;
  /** The number of events that were published. */
  published: number;
  /** The number of events in the copy. */
  stored: number;
}

interface Comparison {
  /** The number of heads that agree with the copy. */
  agreeing: number;
  conflicting: number;
}

interface Store {
  kv: Deno.Kv;
  chains: Pick<Chains, "publisher" | "keys">;
}

/**
 * Verifies all chains of a store.
 *
 * @returns how many are not valid
 */
export async function verifyChains(
  { kv, chains: { publisher, keys } }: Store,
  report: (chain: InvalidChain) => void,
): Promise<number> {
  let invalid = 0;
  const job = createCheckJob({
    kv,
    publisher,
    keys,
    report(chain, count) {
      invalid = count;
      report(chain);
      return Promise.resolve();
    },
  });
  const { signal } = new AbortController();
  await job.run({ cursor: null, signal, save: () => Promise.resolve() });
  return invalid;
}

/**
 * Compares the chains of a store with heads that were published, for example after it was copied, several
 * at a time.
 */
export async function compareHeads(
  { kv, chains }: Store,
  published: AsyncIterable<unknown>,
  report: (conflict: Conflict) => void,
): Promise<Comparison> {
  const { keys } = await chains.keys();
  const comparison: Comparison = { agreeing: 0, conflicting: 0 };
  await eachOf(published, async (given) => {
    const head = headSchema.safeParse(given).data;
    if (head === undefined) return;
    const hash = head.origin.slice(-64);
    const stored = (await heads.get(kv, hash)).value?.size ?? 0;
    const signed = await verifyHead(head, keys);
    const code = signed.ok ? await conflictOf(kv, hash, head, stored) : "unverified";
    if (code === null) {
      comparison.agreeing++;
    } else {
      comparison.conflicting++;
      report({ code, hash, published: head.size, stored });
    }
  });
  return comparison;
}

async function conflictOf(
  kv: Deno.Kv,
  hash: string,
  { size, tip }: Head,
  stored: number,
): Promise<Conflict["code"] | null> {
  if (stored === 0) return "missing";
  if (stored < size) return "behind";
  const { value } = await chainEvents.get(kv, hash, size - 1);
  return value?.hash === tip ? null : "forked";
}

/** Returns what a store is a copy of; null if it is not a copy, or is already reconciled. */
export const readRestored = async (kv: Deno.Kv): Promise<Restored | null> =>
  (await kv.get<StoreMarker>(STORE_KEY)).value?.restored ?? null;

/** Lets a site write to a restored copy. */
export async function clearRestored(kv: Deno.Kv): Promise<void> {
  await transact(async () => {
    const entry = await kv.get<StoreMarker>(STORE_KEY);
    if (entry.value?.restored === undefined) return { result: undefined };
    const { restored: _, ...row } = entry.value;
    return { result: undefined, commit: kv.atomic().check(entry).set(STORE_KEY, row) };
  });
}
