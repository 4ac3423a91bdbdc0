/**
 * Chains for tests, and a server of them.
 *
 * @module
 */
import {
  EVENT_KINDS,
  generatePrivateJwk,
  headOrigin,
  importSigningKey,
  keySet,
  type LinkedEvent,
  linkEvent,
  type SavedChain,
  signHead,
} from "../mod.ts";

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
