import { makeChain } from "../fixtures.ts";
import { generatePrivateJwk, headOrigin, importSigningKey, keySet, signHead } from "../mod.ts";
import type { SavedChain } from "./saved.ts";

/** For tests: a chain that verifies, with its head and the publisher's keys. */
export async function makeSavedChain(
  { hash = "c".repeat(64), publisher = "trust.example", length = 12 } = {},
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

/**
 * For tests: a `fetch` that pages a chain as the site does, and serves the keys; what was asked for
 * is in `asked`.
 */
export function serverOf(chain: SavedChain): { fetch: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    fetch(input) {
      const { pathname, search, searchParams } = new URL(String(input));
      asked.push(pathname + search);
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
