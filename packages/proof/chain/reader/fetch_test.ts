import { assert, assertEquals, assertRejects } from "@std/assert";
import { makeSavedChain, serveChain } from "../../testing/chains.ts";
import { verifyChain, verifyEvents } from "../verify.ts";
import { fetchChain, fetchKeys, keysOf, keysUrl } from "./fetch.ts";
import { ChainReadError } from "./read_json.ts";
import type { SavedChain } from "./saved.ts";

const urlOf = ({ hash }: SavedChain) => `https://api.example/api/chain/${hash}`;
const respondWith = (respond: () => Response): typeof fetch => () => Promise.resolve(respond());

Deno.test("fetchChain() reads all pages back to event 0, and the chain verifies", async () => {
  const saved = await makeSavedChain({ length: 250 });
  const { fetch, requests } = serveChain(saved);
  const progress: [number, number][] = [];
  const { head, events } = await fetchChain(urlOf(saved), {
    fetch,
    onProgress: (...now) => progress.push(now),
  });
  const { hash: recordHash, publisher, keys } = saved;
  assert((await verifyChain({ recordHash, publisher, keys, head, events })).ok);
  assertEquals(requests.map((path) => new URL(path, urlOf(saved)).search), [
    "?limit=100",
    "?before=150&limit=100",
    "?before=50&limit=100",
  ]);
  assertEquals(progress, [[100, 250], [200, 250], [250, 250]]);
});

Deno.test("fetchChain() leaves an altered seq at its position, where the verifier finds it", async () => {
  const saved = await makeSavedChain({ length: 250 });
  // The first and last event of each page, because a reader could derive positions from them.
  for (const seq of [0, 49, 50, 149, 150, 249]) {
    for (const claim of [0, 7, 1e9, -1, "x", undefined]) {
      if (claim === seq) continue;
      const events = saved.events.with(seq, { ...saved.events[seq] as object, seq: claim });
      const read = await fetchChain(urlOf(saved), serveChain({ ...saved, events }));
      const result = await verifyEvents(saved.hash, read.events);
      assertEquals(!result.ok && result.seq, seq, String(claim));
    }
  }
});

Deno.test("fetchChain() reads all events even if the size in the head is wrong", async () => {
  const saved = await makeSavedChain({ length: 250 });
  for (const size of [1, 249, 1000]) {
    const head = { ...saved.head as object, size };
    const { events } = await fetchChain(urlOf(saved), serveChain({ ...saved, head }));
    assertEquals(events, saved.events);
  }
});

Deno.test("fetchChain() stops when the server has no older events, and the verifier says where", async () => {
  const saved = await makeSavedChain({ length: 250 });
  let requests = 0;
  const { events } = await fetchChain(urlOf(saved), {
    fetch: (input) => {
      if (++requests > 5) throw new Error("fetchChain() does not stop.");
      const { searchParams } = new URL(String(input));
      const before = Number(searchParams.get("before") ?? 250);
      const events = saved.events.slice(Math.max(120, before - 100), Math.max(120, before));
      return Promise.resolve(Response.json({ head: saved.head, events }));
    },
  });
  assertEquals([requests, events.length], [3, 130]);
  const result = await verifyEvents(saved.hash, events);
  assertEquals(!result.ok && [result.seq, result.code], [0, "bad_seq"]);
});

Deno.test("fetchChain() stops after the expected number of pages", async () => {
  const saved = await makeSavedChain({ length: 250 });
  let requests = 0;
  const fetch = respondWith(() => {
    requests++;
    return Response.json({ head: saved.head, events: saved.events.slice(150) });
  });
  await fetchChain(urlOf(saved), { fetch });
  assertEquals(requests, 3);
});

Deno.test("fetchChain() rejects responses that are not a page of a chain", async () => {
  const saved = await makeSavedChain();
  const [event] = saved.events;
  const manyEvents = { events: Array(101).fill(event) };
  const lateEvent = { events: [{ ...event as object, seq: 1_000_000 }] };
  for (
    const [code, respond] of [
      ["too_large", () => Response.json(lateEvent)],
      ["bad_response", () => Response.json(manyEvents)],
      ["too_large", () => new Response(" ".repeat(300_000))],
      ["bad_response", () => new Response("<html>")],
      ["bad_response", () => Response.json([])],
      ["bad_response", () => Response.json({}, { status: 500 })],
      ["not_found", () => Response.json({}, { status: 404 })],
      ["unreachable", () => {
        throw new TypeError("refused");
      }],
    ] as const
  ) {
    // deno-lint-ignore require-await -- an exception has to become a rejection
    const fetch: typeof globalThis.fetch = async () => respond();
    const error = await assertRejects(() => fetchChain(urlOf(saved), { fetch }), ChainReadError);
    assertEquals(error.code, code, error.message);
  }
});

Deno.test("fetchChain() rejects with the abort reason when its signal is aborted", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const fetch: typeof globalThis.fetch = (_, init) => {
    stop.abort(reason);
    return Promise.reject(init!.signal!.reason);
  };
  const read = () => fetchChain("https://api.example/", { fetch, signal: stop.signal });
  assertEquals(await assertRejects(read), reason);
});

Deno.test("fetchKeys() revalidates cached keys", async () => {
  const { fetch } = serveChain(await makeSavedChain());
  const caches: (string | undefined)[] = [];
  await fetchKeys(keysUrl("trust.example")!, {
    fetch: (input, init) => {
      caches.push(init?.cache);
      return fetch(input, init);
    },
  });
  assertEquals(caches, ["no-cache"]);
});

Deno.test("keysUrl() returns an HTTPS URL, or HTTP for a loopback host", () => {
  const path = "/.well-known/chain-keys.json";
  assertEquals(keysUrl("trust.example"), `https://trust.example${path}`);
  assertEquals(keysUrl("trust.localhost:8000"), `http://trust.localhost:8000${path}`);
  assertEquals(keysUrl("127.0.0.1:80"), `http://127.0.0.1:80${path}`);
  for (
    const other of ["", "Trust.example", "a/b", "user@host", "https://a", "a b", "[", "x:99999"]
  ) {
    assertEquals(keysUrl(other), null, other);
  }
});

Deno.test("fetchKeys() returns the keys of a JWK Set and rejects any other response", async () => {
  const saved = await makeSavedChain();
  const url = keysUrl("trust.example")!;
  assertEquals(await fetchKeys(url, serveChain(saved)), saved.keys);
  const broken = respondWith(() => Response.json({ keys: "none" }));
  await assertRejects(() => fetchKeys(url, { fetch: broken }), ChainReadError);
  assertEquals([keysOf({ keys: [1] }), keysOf(null)], [[1], []]);
});
