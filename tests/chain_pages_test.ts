import { assertEquals, assertNotEquals } from "@std/assert";
import { createChains, heads } from "../lib/features/chain/mod.ts";
import { HASH } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { REQUESTS as DURATIONS } from "../lib/platform/telemetry/mod.ts";
import { feedFixture, PATH } from "./feed_site.ts";
import { samplesOf } from "./metric_samples.ts";

const contentOf = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(
    [...response.headers].filter(([name]) => name !== "request-id"),
  ),
  body: new Uint8Array(await response.arrayBuffer()),
});

const REQUESTS: [title: string, query: string, headers: Record<string, string>][] = [
  ["the newest page", "", {}],
  ["a page with a query", "?after=2&limit=3", {}],
  ["a page for another site", "", { origin: "https://other.example" }],
  ["a page in Zstandard", "", { "accept-encoding": "gzip, br, zstd" }],
  ["a page in gzip", "", { "accept-encoding": "gzip" }],
  ["a page for a browser", "", { accept: "text/html,*/*;q=0.8" }],
  ["a page that any client has", "", { "if-none-match": "*" }],
  ["a page for a client with another", "", { "if-none-match": '"other"' }],
];

Deno.test("each coding gets its own response", async () => {
  await using fixture = await feedFixture(30);
  const variants = REQUESTS.filter(([, query, headers]) =>
    query === "" && !("if-none-match" in headers)
  );
  const read = () =>
    Promise.all(
      variants.map(async ([, , headers]) => await contentOf(await fixture.get("", headers))),
    );
  const first = await read();
  assertEquals(first.map(({ headers }) => headers["content-encoding"]).filter(Boolean), [
    "zstd",
    "gzip",
  ]);
  assertEquals(await read(), first);
});

/** A site with a chain of three events and a fixed clock, and a second process. */
async function sharedChain() {
  const kv = await openKv(":memory:");
  const time = { now: 0 };
  const fixture = await feedFixture(3, {}, { kv, elapsed: () => time.now });
  const { chains: { publisher }, config: { chain: { signingKey } } } = fixture.site.services;
  // The site counts the writes of its own wrapper only.
  const other = createChains({ kv, clock: () => Date.UTC(2026, 2, 2), publisher, signingKey });
  let etag = "";
  return {
    fixture,
    kv,
    time,
    append: () => other.append(HASH, "record_verified"),
    /** Returns the number of events, and whether the response to the last `ETag` is a 304. */
    async load() {
      const known = await fixture.get("", { "if-none-match": etag });
      await known.body?.cancel();
      const response = await fixture.get();
      etag = response.headers.get("etag")!;
      return [(await response.json()).events.length, known.status === 304];
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("an append by this process changes the page and its ETag for the next request", async () => {
  await using chain = await sharedChain();
  const { chains } = chain.fixture.site.services;
  await chain.load();
  for (const size of [4, 5]) {
    assertEquals(await chain.load(), [size - 1, true]);
    await chains.append(HASH, "record_verified");
    assertEquals(await chain.load(), [size, false]);
  }
});

Deno.test("a page is never older than an event that a stream has sent", async () => {
  await using chain = await sharedChain();
  const stream = await chain.fixture.stream();
  await chain.fixture.pass(1); // the first poll
  for (const _ of [1, 2]) await chain.load();
  await chain.append();
  const received = stream.next();
  await chain.fixture.pass(1);
  assertEquals((await received)!.id, "3");
  assertEquals(await chain.load(), [4, false]);
  await stream.cancel();
});

Deno.test("a deleted chain returns 404 at once, although its page was sent before", async () => {
  await using chain = await sharedChain();
  for (const _ of [1, 2]) await chain.load();
  await chain.fixture.site.services.kv.delete(heads.key(HASH));
  const response = await chain.fixture.get();
  assertEquals([response.status, (await response.json()).error], [404, "not_found"]);
});

Deno.test("HEAD, other methods and hosts, and a stream get no page that was sent before", async () => {
  await using fixture = await feedFixture(3);
  const { handler, request, services: { surfaces } } = fixture.site;
  for (const _ of [1, 2]) await (await fixture.get()).body?.cancel();
  const url = surfaces.url("api", PATH)!;
  const send = (method: string, headers: Record<string, string>) =>
    handler(new Request(url, { method, headers: { host: new URL(url).host, ...headers } }));
  const head = await send("HEAD", {});
  assertEquals([head.status, await head.text()], [200, ""]);
  assertEquals((await send("POST", {})).status, 405);
  assertEquals((await send("OPTIONS", {})).status, 204);
  for (const host of ["trust.localhost:8000", "a b", ""]) {
    assertEquals((await send("GET", { host })).status, 400, host);
  }
  const stream = await send("GET", { accept: "text/event-stream" });
  assertEquals(stream.headers.get("content-type"), "text/event-stream");
  await stream.body!.cancel();
  assertEquals((await request("commercial", PATH)).status, 404);
});

Deno.test("a page counts in the metrics and as in flight, each time it is sent", async () => {
  await using fixture = await feedFixture(3);
  const { handler, services: { inFlight, metrics, surfaces } } = fixture.site;
  const url = surfaces.url("api", PATH)!;
  const open = [1, 2, 3].map(() => Promise.withResolvers<void>());
  for (const { promise: completed } of open) {
    const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
    const request = new Request(url, { headers: { host: new URL(url).host } });
    await (await handler(request, { remoteAddr, completed })).text();
  }
  assertEquals(inFlight.size, 3);
  for (const { resolve } of open) resolve();
  await inFlight.settled(60_000);
  assertEquals(inFlight.size, 0);
  const samples = samplesOf(await (await metrics.collect()).metrics());
  const counts = [...samples].filter(([name]) => name.startsWith(`${DURATIONS}_count`));
  const labels = 'surface="api",route="/api/chain/:hash",status="2xx"';
  assertEquals(counts, [[`${DURATIONS}_count{${labels}}`, 3]]);
});

Deno.test("a store that fails returns 500, and the page again later", async () => {
  await using chain = await sharedChain();
  for (const _ of [1, 2]) await chain.load();
  const { getMany } = chain.kv;
  chain.kv.getMany = () => Promise.reject(new Error("the store is broken"));
  const failed = await chain.fixture.get();
  assertEquals([failed.status, (await failed.json()).error], [500, "internal"]);
  assertNotEquals(failed.headers.get("content-security-policy"), null);
  chain.kv.getMany = getMany;
  assertEquals(await chain.load(), [3, true]);
});
