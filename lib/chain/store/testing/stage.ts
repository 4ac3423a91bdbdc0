import { type ChainVerification, type LinkedEvent, verifyChain } from "../../mod.ts";
import { type Chains, createChains } from "../mod.ts";

/** A record's hash, for tests. */
export const HASH = "c".repeat(64);
export const PUBLISHER = "trust.example";

/** Chains on a clock that stands still until the test moves it. */
export interface Stage {
  chains: Chains;
  clock: { now: number };
}

/** Puts chains on a store, with a key of its own that is kept there. */
export function stageOf(kv: Deno.Kv): Stage {
  const clock = { now: Date.UTC(2026, 0, 15, 9, 30) };
  const chains = createChains({
    kv,
    clock: () => clock.now,
    publisher: PUBLISHER,
    signingKey: undefined,
  });
  return { chains, clock };
}

/** The whole chain, read page by page as a reader would. */
export async function readAll(chains: Chains, hash = HASH): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  for (;;) {
    const page = (await chains.page(hash, { after: events.length - 1, limit: 100 }))!;
    if (page.events.length === 0) return events;
    events.push(...page.events);
  }
}

/** Verifies what is stored as an outsider would. */
export async function verifyStored(chains: Chains, hash = HASH): Promise<ChainVerification> {
  return await verifyChain({
    recordHash: hash,
    events: await readAll(chains, hash),
    head: await chains.head(hash),
    publisher: PUBLISHER,
    keys: (await chains.keys()).keys,
  });
}
