import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { LinkedEvent } from "../packages/proof/mod.ts";
import { HASH, range, writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { readStream } from "../lib/platform/http/testing/streams.ts";
import { feedFixture, PATH, STREAM } from "./feed_site.ts";

/** Returns the targets of a `Link` header by relation. */
function linksOf(response: Response): Record<string, string> {
  const link = response.headers.get("link") ?? "";
  return Object.fromEntries([...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [
    rel,
    url,
  ]));
}

/** Follows Link through a chain in both directions, with pages of each of some sizes. */
async function walkThrough(length: number, limits: readonly number[]): Promise<void> {
  await using fixture = await feedFixture(0);
  const { site, get } = fixture;
  const { kv, chains } = site.services;
  await writeChain(kv, { publisher: chains.publisher, length });
  await kv.set(["log_chains", HASH], { salt: new Uint8Array(32) });
  let size = length;

  /** Follows a relation to its end, with 50 appends on the way. Returns the pages' seqs. */
  async function walk(start: string, rel: "next" | "prev", pages: number): Promise<number[][]> {
    const found: number[][] = [];
    let appended = 0;
    for (let query: string | null = start; query !== null;) {
      const response: Response = await get(query);
      const page = await response.json();
      found.push(page.events.map(({ seq }: { seq: number }) => seq));
      const links = linksOf(response);
      if (rel === "prev" || query.includes("after=")) {
        assertEquals(page.has_more, rel in links, `${query}`);
      }
      for (; appended < Math.min(50, 50 * found.length / pages); appended++) {
        await chains.append(HASH, "record_verified");
        size++;
      }
      if (links[rel] === undefined) break;
      assert(links[rel].startsWith(`http://api.localhost:8000${PATH}?`), links[rel]);
      query = new URL(links[rel]).search;
    }
    assertEquals(appended, 50);
    return found;
  }

  for (const limit of limits) {
    const pages = length / 2 / limit;
    const before = size;
    const backward = await walk(`?limit=${limit}`, "prev", pages);
    assertEquals(backward.reverse().flat(), range(0, before), `backward, ${limit} per page`);
    const forward = await walk(`?before=0&limit=${limit}`, "next", pages);
    assertEquals(forward.flat(), range(0, size), `forward, ${limit} per page`);
    assertEquals(forward.slice(1, -1).filter(({ length }) => length !== limit), []);
  }
}

Deno.test("after=-1 reads and follows a chain from its first event", async () => {
  await using fixture = await feedFixture(3);
  const { get } = fixture;
  const first = await (await get("?after=-1&limit=2")).json();
  assertEquals(first.events.map(({ seq }: LinkedEvent) => seq), [0, 1]);
  assertEquals(first.has_more, true);
  assertEquals((await get(`?after=-1&tip=${HASH}`)).status, 200);
  assertEquals((await get(`?after=-1&tip=${"0".repeat(64)}`)).status, 409);
  for (const query of ["?after=-2", "?after=1e3", "?before=-1", "?after=1000000000000000"]) {
    const refused = await get(query);
    await refused.body?.cancel();
    assertEquals(refused.status, 400, query);
  }
  const stream = readStream(await get("?after=-1", { accept: "text/event-stream" }));
  await stream.next(); // the position
  assertEquals((await stream.next())?.id, "0");
  await stream.cancel();
});

Deno.test("following Link through 1,000 events while others are appended returns each once", async () => {
  await walkThrough(1_000, [7, 100]);
});

Deno.test("following Link through 150 events with one per page returns each once", async () => {
  await walkThrough(150, [1]);
});

Deno.test("has_more and Link describe what lies beyond the page, and the tip is part of the link", async () => {
  await using fixture = await feedFixture(45);
  const cases: [query: string, hasMore: boolean, prev: string | null, next: string | null][] = [
    ["", true, "before=25&limit=20", null],
    ["?limit=100", false, null, null],
    ["?before=25", true, "before=5&limit=20", "after=24"],
    ["?before=5", false, null, "after=4"],
    ["?before=45&limit=45", false, null, null],
    ["?before=0&limit=7", false, null, "before=7&limit=7"],
    ["?after=0&limit=2", true, "before=1&limit=2", "after=2"],
    ["?after=42", false, "before=43&limit=20", null],
    ["?after=44", false, "before=45&limit=20", null],
  ];
  for (const [query, hasMore, prev, next] of cases) {
    const response = await fixture.get(query);
    const { has_more, events } = await response.json();
    const links = linksOf(response);
    assertEquals(has_more, hasMore, query);
    assertEquals(links.prev?.split("?")[1] ?? null, prev, query);
    const expected = next?.startsWith("after")
      ? new RegExp(`\\?${next}&tip=${events.at(-1).hash}&limit=\\d+$`)
      : null;
    if (expected !== null) assert(expected.test(links.next), `${query}: ${links.next}`);
    else assertEquals(links.next?.split("?")[1] ?? null, next, query);
  }
});

Deno.test("an invalid, repeated, contradictory or unknown parameter returns 400 and names it", async () => {
  await using fixture = await feedFixture(3);
  const cases: [query: string, field: string, headers?: Record<string, string>][] = [
    ["?after=-2", "after"],
    ["?before=1.5", "before"],
    ["?after=1e3", "after"],
    ["?after=", "after"],
    ["?before=9999999999999999", "before"],
    ["?after=1&after=2", "after"],
    ["?after=1&after=1", "after"],
    ["?limit=1&limit=2", "limit"],
    ["?before=2&after=0", "after"],
    ["?tip=" + "a".repeat(64), "tip"],
    ["?after=1&tip=abc", "tip"],
    ["?affter=1", "affter"],
    ["?constructor=1", "constructor"],
    ["?" + "x".repeat(900), "x".repeat(40)],
    ["?before=2", "before", STREAM],
    ["?after=0&limit=2", "limit", STREAM],
    ["?after=-2", "after", STREAM],
    ["", "after", { ...STREAM, "last-event-id": "-2" }],
    ["?after=0", "after", { ...STREAM, "last-event-id": "1.5" }],
    ["?after=0", "after", { ...STREAM, "last-event-id": "x".repeat(5_000) }],
  ];
  for (const [query, field, headers] of cases) {
    const response = await fixture.get(query, headers);
    const { error, issues } = await response.json();
    const found = [response.status, error, Object.keys(issues)];
    assertEquals(found, [400, "invalid_request", [field]], query);
  }
});

Deno.test("a position beyond the head, or another hash there, returns 409 with the head", async () => {
  await using fixture = await feedFixture(5);
  const { events, head } = await (await fixture.get()).json();
  const [other] = [events[1].hash];
  const cases: [query: string, status: number][] = [
    ["?after=4", 200],
    ["?after=5", 409],
    ["?after=999999999999999", 409],
    ["?before=5", 200],
    ["?before=6", 409],
    [`?after=4&tip=${events[4].hash}`, 200],
    [`?after=2&tip=${events[2].hash}`, 200],
    [`?after=4&tip=${other}`, 409],
    [`?after=2&tip=${other}`, 409],
    [`?after=0&tip=${other}`, 409],
  ];
  for (const [query, status] of cases) {
    for (const headers of query.includes("before") ? [{}] : [{}, STREAM]) {
      const response = await fixture.get(query, headers);
      assertEquals(response.status, status, query);
      if (status === 200) await response.body!.cancel();
      else {
        const body = await response.json();
        assertEquals([body.error, body.head], ["chain_rewritten", head]);
        assertEquals(response.headers.get("cache-control"), "no-store");
      }
    }
  }
  const etag = (await fixture.get("?after=2")).headers.get("etag")!;
  const query = `?after=2&tip=${other}`;
  assertEquals((await fixture.get(query, { "if-none-match": etag })).status, 409);
});

Deno.test("If-None-Match with a list or * returns 304, and each query has its own ETag", async () => {
  await using fixture = await feedFixture(30);
  const tagOf = async (query: string) => (await fixture.get(query)).headers.get("etag")!;
  const queries = ["", "?limit=10", "?after=3", "?before=3", "?after=3&limit=10"];
  assertEquals(new Set(await Promise.all(queries.map(tagOf))).size, queries.length);
  const etag = await tagOf("?after=3");
  for (const sent of [etag, `"x", ${etag}`, etag.replace("W/", ""), "*"]) {
    const response = await fixture.get("?after=3", { "if-none-match": sent });
    assertEquals([response.status, await response.text()], [304, ""], sent);
  }
  await fixture.site.services.chains.append(HASH, "email_confirmed");
  assertNotEquals(await tagOf("?after=3"), etag);
});

Deno.test("pages are compressed for clients that accept it, with the same ETag", async () => {
  await using fixture = await feedFixture(30);
  const plain = await fixture.get("", { "accept-encoding": "identity" });
  const text = await plain.text();
  assertEquals(plain.headers.get("content-encoding"), null);
  for (
    const [coding, decode] of [
      ["zstd", zstdDecompressSync],
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const
  ) {
    const response = await fixture.get("", { "accept-encoding": coding });
    assertEquals(response.headers.get("content-encoding"), coding);
    assertEquals(response.headers.get("etag"), plain.headers.get("etag"));
    assertEquals(decode(await response.bytes()).toString(), text);
  }
  const small = await fixture.get("?after=29", { "accept-encoding": "gzip" });
  assertEquals(small.headers.get("content-encoding"), null);
});

Deno.test("a client that starts over after 409 gets the rewritten chain", async () => {
  await using fixture = await feedFixture(5);
  const { kv, chains } = fixture.site.services;
  const { events } = await (await fixture.get()).json();
  await writeChain(kv, { publisher: chains.publisher, length: 8 });
  const query = `?after=4&tip=${events[4].hash}`;
  assertEquals((await fixture.get(query)).status, 409);
  const newest = await (await fixture.get()).json();
  assertEquals(newest.events.length, 8);
  assertEquals((await fixture.get(`?after=7&tip=${newest.events[7].hash}`)).status, 200);
});

Deno.test("a page that was served before follows the head, whichever process changes the chain", async () => {
  await using fixture = await feedFixture(3);
  const { site: { services: { kv, chains } }, get } = fixture;
  const headKey = ["chains", HASH];
  const read = async () =>
    (await (await get()).json()).events?.map(({ hash }: LinkedEvent) => hash);
  const first = await read();
  assertEquals(await read(), first);

  const { event } = (await chains.append(HASH, "record_verified"))!;
  assertEquals(await read(), [...first, event.hash]);

  // Another process replaces the chain, and then deletes it.
  const { value: before } = await kv.get(headKey);
  const replaced = await writeChain(kv, { publisher: chains.publisher, length: 4 });
  assertEquals(await read(), replaced.map(({ hash }) => hash));
  await kv.delete(headKey);
  assertEquals((await get()).status, 404);
  await kv.set(headKey, before);
  assertEquals((await get()).status, 200);
});

Deno.test("a page that was served before is sent again with the same headers, in each encoding", async () => {
  await using fixture = await feedFixture(60);
  const { get } = fixture;
  const bytesOf = async (coding: string) => {
    const response = await get("?before=40", { "accept-encoding": coding });
    response.headers.delete("request-id");
    return [[...response.headers], await response.bytes()] as const;
  };
  for (const coding of ["identity", "zstd", "gzip", "br"]) {
    assertEquals(await bytesOf(coding), await bytesOf(coding));
    assertEquals(
      new Headers(await bytesOf(coding).then(([headers]) => headers as [])).get(
        "content-encoding",
      ),
      coding === "identity" ? null : coding,
    );
  }
});
