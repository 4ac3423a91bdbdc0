import { assert, assertEquals } from "@std/assert";
import { HASH, range, writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { createChains } from "../lib/features/chain/mod.ts";
import { until } from "../lib/testing/until.ts";
import { feedFixture, PATH, STREAM } from "./feed_site.ts";
import { createSite, sendRaw, serve } from "./site.ts";

Deno.test("a stream has ids and the events of the pages without names, so that onmessage gets them, and cannot be cached", async () => {
  await using fixture = await feedFixture(3);
  const { chains, streams } = fixture.site.services;
  const response = await fixture.get("?after=1", STREAM);
  assertEquals(response.status, 200);
  assertEquals(
    ["content-type", "cache-control", "x-accel-buffering", "vary", "etag"].map((name) =>
      response.headers.get(name)
    ),
    ["text/event-stream", "no-store, no-transform", "no", "Accept", null],
  );
  await response.body!.cancel();

  const stream = await fixture.stream("?after=1");
  const page = await (await fixture.get("?after=1")).json();
  assertEquals(await stream.next(), { id: "2", data: page.events[0] });
  const appended = await chains.append(HASH, "email_confirmed");
  assertEquals(await stream.next(), { id: "3", data: appended!.event });
  await stream.cancel();
  assertEquals([streams.size, streams.watched], [0, 0]);

  const head = await fixture.site.request("api", PATH, { method: "HEAD", headers: STREAM });
  assertEquals([head.status, streams.size], [200, 0]);
  assertEquals(
    (await fixture.get("", { accept: "text/event-stream, application/json" })).headers
      .get("content-type"),
    "application/json",
  );
});

Deno.test("a stream resumes after each event, by after and by Last-Event-ID", async () => {
  await using fixture = await feedFixture(6);
  for (const seq of range(0, 6)) {
    for (
      const [query, headers] of [
        [`?after=${seq}`, {}],
        ["", { "last-event-id": `${seq}` }],
        [`?after=0&tip=${"f".repeat(64)}`, { "last-event-id": `${seq}` }],
      ] as const
    ) {
      if (seq === 0 && query.includes("tip")) continue; // there, the tip belongs to the position
      const response = await fixture.get(query, { ...STREAM, ...headers });
      const text = await firstBytes(response, seq === 5 ? 1 : 2);
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      assertEquals(ids, range(seq, 6), `${query} ${JSON.stringify(headers)}`);
    }
  }
});

/** Returns the text of the first chunks of a response. */
async function firstBytes(response: Response, chunks: number): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let i = 0; i < chunks; i++) text += (await reader.read()).value;
  await reader.cancel();
  return text;
}

Deno.test("without a position a stream begins at the head, which it sends as the first id", async () => {
  await using fixture = await feedFixture(3);
  assertEquals(
    await firstBytes(await fixture.get("", STREAM), 1),
    "retry: 3000\nid: 2\n\n",
  );
});

Deno.test("a stream that is far behind gets every event, in parts", async () => {
  await using fixture = await feedFixture(0);
  const { kv, chains } = fixture.site.services;
  await writeChain(kv, { publisher: chains.publisher, length: 250 });
  const stream = await fixture.stream("?after=0");
  for (const seq of range(1, 250)) assertEquals((await stream.next())!.id, `${seq}`);
  await stream.cancel();
});

Deno.test("two streams of a chain each get an event once", async () => {
  await using fixture = await feedFixture(1);
  const streams = [await fixture.stream("?after=0"), await fixture.stream("?after=0")];
  const { chains } = fixture.site.services;
  for (const seq of ["1", "2"]) {
    await chains.append(HASH, "record_verified");
    await fixture.pass(2);
    for (const stream of streams) assertEquals((await stream.next())!.id, seq);
  }
  for (const stream of streams) await stream.cancel();
});

Deno.test("an event that another process writes arrives with the next poll", async () => {
  await using store = await tempKv();
  await using fixture = await feedFixture(1, {}, { kv: await openKv(store.path) });
  const stream = await fixture.stream("?after=0");
  const other = createChains({
    kv: store.kv,
    clock: Date.now,
    publisher: fixture.site.services.chains.publisher,
    signingKey: undefined,
  });
  await fixture.pass(1); // the first poll
  const appended = await other.append(HASH, "k2_delivered");
  const received = stream.next();
  await fixture.pass(1);
  assertEquals((await received)!.data, appended!.event);
  await stream.cancel();
});

Deno.test("the rows of 25 watched chains are read once per second, ten at a time, and none if none is watched", async () => {
  const kv = await openKv(":memory:");
  const reads: number[] = [];
  const { getMany } = kv;
  kv.getMany = (keys: readonly unknown[], ...rest: never[]) => {
    reads.push(keys.length);
    return Reflect.apply(getMany, kv, [keys, ...rest]);
  };
  await using fixture = await feedFixture(0, { STREAM_CLIENT_LIMIT: "100" }, { kv });
  const { chains, streams } = fixture.site.services;
  const open = [];
  for (const i of range(0, 25)) {
    const hash = String(i).padStart(64, "0");
    await chains.start(hash);
    for (let tab = 0; tab < 2; tab++) {
      const response = await fixture.site.request("api", `/api/chain/${hash}`, { headers: STREAM });
      open.push(response.body!.getReader());
    }
  }
  assertEquals([streams.size, streams.watched], [50, 25]);
  await fixture.pass(1); // the first poll also reads each chain
  reads.length = 0;
  await fixture.pass(2);
  assertEquals([reads.length, Math.max(...reads)], [6, 10]);
  for (const reader of open) await reader.cancel();
  reads.length = 0;
  assertEquals(fixture.timer.isPlanned, false);
  await fixture.pass(5);
  assertEquals(reads, []);
});

Deno.test("500 streams that are opened and dropped leave no watcher and no timer", async () => {
  await using fixture = await feedFixture(2, { STREAM_CLIENT_LIMIT: "1000" });
  const { streams } = fixture.site.services;
  const responses = await Promise.all(range(0, 500).map(() => fixture.get("?after=0", STREAM)));
  assertEquals([streams.size, streams.watched], [500, 1]);
  // Some are dropped before they are read, some while they wait, some after the first events.
  await Promise.all(responses.map(async ({ body }, i) => {
    const reader = body!.getReader();
    for (let read = 0; read < i % 3; read++) await reader.read();
    await Promise.all([i % 5 === 0 ? reader.read() : null, reader.cancel()]);
  }));
  assertEquals([streams.size, streams.watched, fixture.timer.isPlanned], [0, 0, false]);
});

Deno.test("a silent stream gets a comment every 14 to 15 seconds, also after an event", async () => {
  await using fixture = await feedFixture(1);
  const stream = await fixture.stream("?after=0");
  let received = 0;
  let next = stream.next().then((message) => (received++, message));
  await fixture.pass(13);
  assertEquals(received, 0);
  await fixture.pass(2);
  assertEquals(await next, { comment: "" });
  next = stream.next().then((message) => (received++, message));
  await fixture.pass(10);
  await fixture.site.services.chains.append(HASH, "record_verified");
  assertEquals((await next)!.id, "1");
  next = stream.next().then((message) => (received++, message));
  await fixture.pass(13);
  assertEquals(received, 2);
  await fixture.pass(2);
  assertEquals(await next, { comment: "" });
  await stream.cancel();
});

Deno.test("a client that reads nothing for 35 seconds finds one comment, and then gets the next event", async () => {
  await using fixture = await feedFixture(1);
  const stream = await fixture.stream("?after=0");
  await fixture.pass(35);
  assertEquals(await stream.next(), { comment: "" });
  const next = stream.next();
  await fixture.site.services.chains.append(HASH, "record_verified");
  assertEquals((await next)!.id, "1");
  await stream.cancel();
});

Deno.test("a stream ends after 5 to 5.5 minutes, not always at the same time", async () => {
  await using fixture = await feedFixture(1);
  const ended: number[] = [];
  let seconds = 0;
  const streams = await Promise.all(range(0, 10).map(() => fixture.stream("?after=0")));
  const reading = streams.map(async (stream) => {
    while (await stream.next() !== null);
    ended.push(seconds);
  });
  for (; seconds < 331; seconds++) await fixture.pass(1);
  await Promise.all(reading);
  assert(ended.every((at) => at >= 299 && at <= 330), `${ended}`);
  assert(new Set(ended).size > 1, `${ended}`);
  assertEquals(fixture.site.services.streams.size, 0);
});

Deno.test("a client that stops reading holds nothing in memory, and is disconnected", async () => {
  await using fixture = await feedFixture(0);
  const { kv, chains, streams } = fixture.site.services;
  await writeChain(kv, { publisher: chains.publisher, length: 1_000 });
  await kv.set(["log_chains", HASH], { salt: new Uint8Array(32) });
  const response = await fixture.get("?after=0", STREAM);
  const reader = response.body!.getReader();
  await reader.read();
  const { value } = await reader.read();
  const events = new TextDecoder().decode(value).match(/^id:/gm)!.length;
  assertEquals(events, 100, "one part at a time");
  await chains.append(HASH, "record_verified");
  await fixture.pass(44);
  assertEquals(streams.size, 1);
  await fixture.pass(2);
  assertEquals([streams.size, streams.watched], [0, 0]);
  assertEquals((await reader.read()).done, true, "nothing was waiting to be sent");
});

Deno.test("a client has at most STREAM_CLIENT_LIMIT streams, and another client its own", async () => {
  await using fixture = await feedFixture(1, { STREAM_CLIENT_LIMIT: "2", TRUST_PROXY: "1" });
  const from = (address: string) => fixture.get("", { ...STREAM, "x-forwarded-for": address });
  const [first] = [await from("203.0.113.1"), await from("203.0.113.1")];
  const refused = await from("203.0.113.1");
  assertEquals([refused.status, (await refused.json()).error], [429, "rate_limited"]);
  assertEquals(refused.headers.get("retry-after"), "60");
  assertEquals((await from("203.0.113.2")).status, 200);
  await first.body!.cancel();
  assertEquals((await from("203.0.113.1")).status, 200);
  assertEquals((await fixture.get()).status, 200, "pages have no such limit");
});

Deno.test("with STREAM_CLIENT_LIMIT=0 a stream returns 204, which stops an EventSource", async () => {
  await using fixture = await feedFixture(1, { STREAM_CLIENT_LIMIT: "0" });
  const response = await fixture.get("", STREAM);
  assertEquals([response.status, await response.text()], [204, ""]);
  assertEquals((await fixture.get()).status, 200);
});

Deno.test("a chain that is rewritten under a stream ends it with chain_rewritten", async () => {
  await using fixture = await feedFixture(5);
  const { kv, chains } = fixture.site.services;
  const cases: [query: string, length: number][] = [
    ["", 8], // other events after the position
    ["", 3], // nothing at the position
    ["?after=2", 1], // the same, and the hash at the position is not known
  ];
  for (const [query, length] of cases) {
    const stream = await fixture.stream(query);
    await fixture.pass(1);
    await writeChain(kv, { publisher: chains.publisher, length });
    const received = stream.next();
    await fixture.pass(1);
    const message = await received;
    assertEquals([message!.event, message!.data.error], ["chain_rewritten", "chain_rewritten"]);
    assertEquals([message!.id, await stream.next()], [undefined, null]);
  }
});

Deno.test("an event that is signed again is not sent again", async () => {
  await using fixture = await feedFixture(2);
  const { kv } = fixture.site.services;
  const stream = await fixture.stream();
  await fixture.pass(1);
  const { key, value } = await kv.get(["chains", HASH]);
  await kv.set(key, value);
  const received = stream.next();
  await fixture.pass(15);
  assertEquals(await received, { comment: "" });
  await stream.cancel();
});

Deno.test("a failed read is logged, and streams continue with the next poll", async () => {
  const logged: unknown[] = [];
  const kv = await openKv(":memory:");
  await using fixture = await feedFixture(1, {}, { kv, log: ({ event }) => logged.push(event) });
  const stream = await fixture.stream("?after=0");
  await fixture.pass(1);
  const { getMany } = kv;
  kv.getMany = () => Promise.reject(new TypeError("database is locked"));
  await fixture.pass(1);
  kv.getMany = getMany;
  const { chains } = fixture.site.services;
  const received = stream.next();
  await chains.append(HASH, "record_verified");
  await fixture.pass(1);
  assertEquals([(await received)!.id, logged], ["1", ["feed_read_failed"]]);
  await stream.cancel();
});

Deno.test("close() ends streams at once and does not wait for their responses", async () => {
  const fixture = await feedFixture(1);
  const { site } = fixture;
  const never = new Promise<void>(() => {});
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 };
  const url = site.services.surfaces.url("api", PATH)!;
  const headers = { ...STREAM, host: new URL(url).host };
  const open = () => site.handler(new Request(url, { headers }), { remoteAddr, completed: never });
  const reader = (await open()).body!.getReader();
  await reader.read();
  const waiting = reader.read();
  const unread = await open();
  await site.services.inFlight.settled(60_000); // a shutdown does not wait for streams
  const closing = site.services.close();
  assertEquals((await waiting).done, true);
  assertEquals(site.services.streams.size, 0);
  await closing;
  await unread.body!.cancel();
});

Deno.test("over a socket, a stream arrives event by event, and a disconnect frees its watcher", async () => {
  await using site = await createSite();
  const { chains, streams, surfaces } = site.services;
  await chains.start(HASH);
  await using server = serve(site.handler);
  const host = new URL(surfaces.url("api")!).host;
  const connection = await Deno.connect({ port: server.port, hostname: "127.0.0.1" });
  const head = `GET ${PATH}?after=0 HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  const reader = connection.readable.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const received = async (part: string) => {
    while (!text.includes(part)) {
      const { done, value } = await reader.read();
      assert(!done, `The stream ended before ${part}: ${text}`);
      text += value;
    }
  };
  await received("id: 0");
  await chains.append(HASH, "record_verified");
  await received("id: 1");
  await chains.append(HASH, "email_confirmed");
  await received('"kind":"email_confirmed"');
  assertEquals(streams.size, 1);
  await reader.cancel();
  await until(() => streams.size === 0, "the server noticed the disconnect");
  assertEquals(streams.watched, 0);
  const refused = await sendRaw(
    server.port,
    head.replace("after=0", "after=3").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
  );
  assert(refused.startsWith("HTTP/1.1 409 "), refused);
});
