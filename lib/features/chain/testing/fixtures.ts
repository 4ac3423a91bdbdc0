import {
  type ChainVerification,
  EVENT_KINDS,
  generatePrivateJwk,
  type Head,
  headOrigin,
  importSigningKey,
  keySet,
  type LinkedEvent,
  linkEvent,
  type SavedChain,
  signHead,
  verifyChain,
} from "../../../../packages/proof/mod.ts";
import { chainEvents, type Chains, createChains, heads } from "../mod.ts";

export const HASH = "c".repeat(64);
export const PUBLISHER = "trust.example";

/** Returns the whole numbers from `start` up to, but not including, `end`. */
export const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, i) => start + i);

/** Returns a valid chain with one event per second, cycling through all event kinds. */
export async function makeChain(recordHash: string, length: number): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  let prev = recordHash;
  for (const seq of range(0, length)) {
    const { kind } = EVENT_KINDS[seq % EVENT_KINDS.length];
    const at = new Date(Date.UTC(2026, 0, 1) + 1000 * seq).toISOString();
    events.push(await linkEvent(prev, { seq, kind, at, status: "ok" }));
    prev = events[seq].hash;
  }
  return events;
}

/** Returns a valid chain with its head and the publisher's keys. */
export async function makeSavedChain(
  { hash = HASH, publisher = PUBLISHER, length = 12 } = {},
): Promise<SavedChain> {
  const key = await importSigningKey(await generatePrivateJwk());
  const events = await makeChain(hash, length);
  const head = await signHead({
    origin: headOrigin(publisher, hash),
    size: length,
    tip: events[length - 1].hash,
    at: "2026-03-01T00:05:00.000Z",
  }, key);
  return { hash, publisher, head, keys: keySet([key]).keys, events };
}

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

/** Returns a `fetch` that serves a chain's pages and keys as the site does, and its requests. */
export function serveChain(chain: SavedChain): { fetch: typeof fetch; requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    fetch(input) {
      const { pathname, search, searchParams } = new URL(String(input));
      requests.push(pathname + search);
      if (pathname.endsWith("/chain-keys.json")) {
        return Promise.resolve(Response.json({ keys: chain.keys }));
      }
      if (!pathname.endsWith(`/api/chain/${chain.hash}`)) {
        return Promise.resolve(Response.json({ error: "not_found" }, { status: 404 }));
      }
      const before = Number(searchParams.get("before") ?? chain.events.length);
      const limit = Number(searchParams.get("limit") ?? 20);
      const events = chain.events.slice(Math.max(0, before - limit), before);
      return Promise.resolve(Response.json({ hash: chain.hash, head: chain.head, events }));
    },
  };
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
