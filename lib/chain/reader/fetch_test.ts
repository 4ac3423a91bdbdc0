import { assert, assertEquals, assertRejects } from "@std/assert";
import { verifyChain, verifyEvents } from "../mod.ts";
import { fetchChain } from "./fetch_chain.ts";
import { fetchKeys, keysOf, keysUrl } from "./fetch_keys.ts";
import { ChainReadError } from "./read_json.ts";
import { makeSavedChain, serverOf } from "./testing.ts";
import { verifierSupport } from "./support.ts";

const saved = await makeSavedChain({ length: 250 });
const url = `https://api.example/api/chain/${saved.hash}`;
const answering = (respond: () => Response): typeof fetch => () => Promise.resolve(respond());
const codeOf = async (fetch: typeof globalThis.fetch) =>
  (await assertRejects(() => fetchChain(url, { fetch }), ChainReadError)).code;

Deno.test("a chain is read page by page back to event 0, and verifies", async () => {
  const { fetch, asked } = serverOf(saved);
  const progress: [number, number][] = [];
  const { head, events } = await fetchChain(url, {
    fetch,
    onProgress: (...now) => progress.push(now),
  });
  const { hash: recordHash, publisher, keys } = saved;
  assert((await verifyChain({ recordHash, publisher, keys, head, events })).ok);
  assertEquals(asked.map((path) => new URL(path, url).search), [
    "?limit=100",
    "?before=150&limit=100",
    "?before=50&limit=100",
  ]);
  assertEquals(progress, [[100, 250], [200, 250], [250, 250]]);
});

Deno.test("an altered seq does not lead the reading astray: it is found where it stands", async () => {
  // The first and the last of a page, where a reader might be tempted to take its bearings.
  for (const seq of [0, 49, 50, 149, 150, 249]) {
    for (const claim of [0, 7, 1e9, -1, "x", undefined]) {
      if (claim === seq) continue;
      const events = saved.events.with(seq, { ...saved.events[seq] as object, seq: claim });
      const read = await fetchChain(url, serverOf({ ...saved, events }));
      const result = await verifyEvents(saved.hash, read.events);
      assertEquals(!result.ok && result.seq, seq, String(claim));
    }
  }
});

Deno.test("a head that counts wrongly does not lead it astray either", async () => {
  for (const size of [1, 249, 1000]) {
    const head = { ...saved.head as object, size };
    const { events } = await fetchChain(url, serverOf({ ...saved, head }));
    assertEquals(events, saved.events);
  }
});

Deno.test("a server that has no older events ends the reading, and the verifier says where", async () => {
  let requests = 0;
  const { events } = await fetchChain(url, {
    fetch: (input) => {
      if (++requests > 5) throw new Error("It is asked for ever.");
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

Deno.test("a server that never ends, or is none, is not waited for", async () => {
  let requests = 0;
  const always = answering(() => {
    requests++;
    return Response.json({ head: saved.head, events: saved.events.slice(150) });
  });
  await fetchChain(url, { fetch: always });
  assertEquals(requests, 3);
  const huge = { ...saved.events[249] as object, seq: 1_000_000 };
  assertEquals(await codeOf(answering(() => Response.json({ events: [huge] }))), "too_large");
  const page = { events: Array(101).fill(saved.events[0]) };
  assertEquals(await codeOf(answering(() => Response.json(page))), "bad_answer");
  assertEquals(await codeOf(answering(() => new Response(" ".repeat(300_000)))), "too_large");
  assertEquals(await codeOf(answering(() => new Response("<html>"))), "bad_answer");
  assertEquals(await codeOf(answering(() => Response.json([]))), "bad_answer");
  assertEquals(await codeOf(answering(() => Response.json({}, { status: 500 }))), "bad_answer");
  assertEquals(await codeOf(answering(() => Response.json({}, { status: 404 }))), "not_found");
  assertEquals(await codeOf(() => Promise.reject(new TypeError("refused"))), "unreachable");
});

Deno.test("no cache decides which keys there are", async () => {
  const { fetch } = serverOf(saved);
  const caches: (string | undefined)[] = [];
  await fetchKeys(keysUrl("trust.example")!, {
    fetch: (input, init) => {
      caches.push(init?.cache);
      return fetch(input, init);
    },
  });
  assertEquals(caches, ["no-cache"]);
});

Deno.test("a reading that is given up ends with the reason", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const fetch: typeof globalThis.fetch = (_, init) => {
    stop.abort(reason);
    return Promise.reject(init!.signal!.reason);
  };
  assertEquals(
    await assertRejects(() => fetchChain(url, { fetch, signal: stop.signal })),
    reason,
  );
});

Deno.test("keys come from the publisher's own address, over HTTPS but on this machine", async () => {
  assertEquals(keysUrl("trust.example"), "https://trust.example/.well-known/chain-keys.json");
  assertEquals(
    keysUrl("trust.localhost:8000"),
    "http://trust.localhost:8000/.well-known/chain-keys.json",
  );
  assertEquals(keysUrl("127.0.0.1:80"), "http://127.0.0.1:80/.well-known/chain-keys.json");
  for (
    const other of ["", "Trust.example", "a/b", "user@host", "https://a", "a b", "[", "x:99999"]
  ) {
    assertEquals(keysUrl(other), null, other);
  }
  assertEquals(await fetchKeys(keysUrl("trust.example")!, serverOf(saved)), saved.keys);
  const broken = answering(() => Response.json({ keys: "none" }));
  await assertRejects(() => fetchKeys(url, { fetch: broken }), ChainReadError);
  assertEquals([keysOf({ keys: [1] }), keysOf(null)], [[1], []]);
});

Deno.test("a browser that cannot verify is told apart from a signature that does not hold", async () => {
  assertEquals(await verifierSupport(), "ok");
  const without = { importKey: () => Promise.reject(new DOMException("", "NotSupportedError")) };
  assertEquals(await verifierSupport(without as unknown as SubtleCrypto), "no_ed25519");
});
