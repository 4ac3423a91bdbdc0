/** Chains for tests: creating them on a store, writing long ones fast, reading and verifying them. */
import {
  type ChainVerification,
  type Head,
  type LinkedEvent,
  verifyChain,
} from "../../../../packages/proof/mod.ts";
import { HASH, makeSavedChain, PUBLISHER } from "../../../../packages/proof/testing/chains.ts";
import { chainEvents, type Chains, createChains, heads } from "../mod.ts";

export * from "../../../../packages/proof/testing/chains.ts";

/** The number of events that fit into one commit of 819,200 bytes. */
const BATCH = 500;

/** Writes the same rows as `length` appends, in fewer commits and with one signature. */
export async function writeChain(
  kv: Deno.Kv,
  { hash = HASH, publisher = PUBLISHER, length }: {
    hash?: string;
    publisher?: string;
    length: number;
  },
): Promise<LinkedEvent[]> {
  const saved = await makeSavedChain({ hash, publisher, length });
  const events = saved.events as LinkedEvent[];
  for (let start = 0; start < length; start += BATCH) {
    const commit = kv.atomic();
    for (const event of events.slice(start, start + BATCH)) {
      chainEvents.put(commit, [hash, event.seq], event);
    }
    await commit.commit();
  }
  const commit = kv.atomic();
  heads.put(commit, [hash], saved.head as Head);
  await commit.commit();
  return events;
}

/** Returns chains in a store, signed with a generated key, and the clock that they use. */
export function createTestChains(kv: Deno.Kv): { chains: Chains; clock: { now: number } } {
  const clock = { now: Date.UTC(2026, 0, 15, 9, 30) };
  const chains = createChains({
    kv,
    clock: () => clock.now,
    publisher: PUBLISHER,
    signingKey: undefined,
  });
  return { chains, clock };
}

export async function readAll(chains: Chains, hash = HASH): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  for (;;) {
    const page = (await chains.page(hash, { after: events.length - 1, limit: 100 }))!;
    if (page.events.length === 0) return events;
    events.push(...page.events);
  }
}

/** Verifies a stored chain with the published head and keys. */
export async function verifyStored(chains: Chains, hash = HASH): Promise<ChainVerification> {
  return await verifyChain({
    recordHash: hash,
    events: await readAll(chains, hash),
    head: await chains.head(hash),
    publisher: PUBLISHER,
    keys: (await chains.keys()).keys,
  });
}
