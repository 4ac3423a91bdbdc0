import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { FakeTimer, readStream } from "../lib/platform/http/testing/streams.ts";
import { addAccess, holderSessions, recordRows } from "../lib/features/records/mod.ts";
import { SECOND_MS } from "../lib/base/time.ts";
import { recordFixture } from "./record_site.ts";

const LOG = "/my-record/log";
const JSON_TYPE = { accept: "application/json" };
const STREAM = { accept: "text/event-stream" };
const READER = { network: "198.51.100.0/24", browser: "Firefox" };

const timer = new FakeTimer();
const fixture = await recordFixture({}, { schedule: timer.schedule });
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { kv, records, streams } = fixture.site.services;

async function addEntry(hash: string, detail?: string): Promise<void> {
  const commit = kv.atomic();
  addAccess(commit, hash, { what: "record_verified", reader: READER, detail }, fixture.clock.now++);
  await commit.commit();
}

const poll = () => timer.fire(() => streams.watched === 0);

interface LogPage {
  hash: string;
  events: { id: string; what: string }[];
  has_more: boolean;
}

async function page(cookie: string, query = "") {
  const response = await fixture.fetch(LOG + query, { cookie, headers: JSON_TYPE });
  const body: LogPage = await response.json();
  const links = [...(response.headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  const link = Object.fromEntries(links.map(([, url, rel]) => [rel, new URL(url).search]));
  return { response, body, link };
}

Deno.test("the log as JSON has the pages of a chain's feed, for this holder only", async () => {
  const { hash, cookie } = await fixture.holder();
  for (let i = 0; i < 3; i++) await addEntry(hash, "a key");
  const { response, body } = await page(cookie, "?limit=2");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "private, no-cache");
  assertEquals(response.headers.get("vary"), "Accept, Cookie, Accept-Encoding");
  assertEquals(response.headers.get("access-control-allow-origin"), null);
  assertEquals(Object.keys(body), ["hash", "events", "has_more"]);
  assertEquals([body.hash, body.has_more, body.events.length], [hash, true, 2]);
  const { id, ...entry } = body.events[1];
  assertEquals(entry, {
    at: id.split("~")[0],
    what: "record_verified",
    detail: "a key",
    ...READER,
  } as unknown);
  const other = await fixture.holder();
  assertEquals((await page(other.cookie)).body.hash, other.hash);
});

Deno.test("following Link through the log returns each entry once while others are added", async () => {
  const { hash, cookie } = await fixture.holder();
  for (let i = 0; i < 40; i++) await addEntry(hash);
  for (const limit of [1, 7, 100]) {
    const walk = async (query: string | undefined, rel: "next" | "prev") => {
      const found: string[][] = [];
      for (; query !== undefined;) {
        const { body, link } = await page(cookie, query);
        found.push(body.events.map(({ id }) => id));
        assertEquals(body.has_more, (query.includes("after=") ? "next" : "prev") in link);
        if (found.length < 4) await addEntry(hash);
        query = link[rel];
      }
      return found;
    };
    const backward = (await walk(`?limit=${limit}`, "prev")).reverse().flat();
    assertEquals(backward.toSorted(), backward);
    assertEquals(new Set(backward).size, backward.length);
    const [first, ...rest] = backward;
    const forward = (await walk(`?after=${first}&limit=${limit}`, "next")).flat();
    assertEquals(forward.slice(0, rest.length), rest);
    assertEquals(forward.length > rest.length, true, "entries that were added meanwhile");
    assertEquals((await page(cookie, "?limit=1")).body.events[0].id >= forward.at(-1)!, true);
  }
});

Deno.test("the log's ETag changes with each entry, query and person", async () => {
  const [one, two] = [await fixture.holder(), await fixture.holder()];
  const tagOf = async (cookie: string, query = "") =>
    (await page(cookie, query)).response.headers.get("etag")!;
  const both = kv.atomic();
  for (const { hash } of [one, two]) {
    addAccess(both, hash, { what: "exported", reader: READER }, fixture.clock.now);
  }
  await both.commit();
  const etag = await tagOf(one.cookie);
  const others = [await tagOf(two.cookie), await tagOf(one.cookie, "?limit=3")];
  assertEquals(others.includes(etag), false);
  const again = () =>
    fixture.fetch(LOG, { cookie: one.cookie, headers: { ...JSON_TYPE, "if-none-match": etag } });
  const unchanged = await again();
  assertEquals([unchanged.status, await unchanged.text()], [304, ""]);
  assertEquals(unchanged.headers.get("cache-control"), "private, no-cache");
  const stolen = await fixture.fetch(LOG, {
    cookie: two.cookie,
    headers: { ...JSON_TYPE, "if-none-match": etag },
  });
  assertEquals(stolen.status, 200);
  await addEntry(one.hash);
  assertEquals((await again()).status, 200);
  assertNotEquals(await tagOf(one.cookie), etag);
});

Deno.test("an invalid query of the log returns 400, and a position after its newest entry 409", async () => {
  const { cookie } = await fixture.holder();
  const future = "2999-01-01T00:00:00.000Z~" + "0".repeat(36);
  for (
    const [query, status, headers] of [
      ["?after=3", 400],
      ["?before=", 400],
      ["?limit=0", 400],
      ["?cursor=x", 400],
      [`?after=${future}&before=${future}`, 400],
      [`?after=${future}&after=${future}`, 400],
      [`?before=${future}`, 400, STREAM],
      ["", 400, { ...STREAM, "last-event-id": "3" }],
      [`?after=${future}`, 409],
      [`?after=${future}`, 409, STREAM],
    ] as const
  ) {
    const response = await fixture.fetch(LOG + query, { cookie, headers: headers ?? JSON_TYPE });
    assertEquals(response.status, status, query);
    const { error } = await response.json();
    assertEquals(error, status === 400 ? "invalid_request" : "log_rewritten");
  }
});

Deno.test("the log returns an error without a session, after it ended, and for a closed record", async () => {
  const { hash, cookie } = await fixture.holder();
  for (const headers of [JSON_TYPE, STREAM]) {
    for (const sent of [undefined, "record_session=x"]) {
      const response = await fixture.fetch(LOG, { cookie: sent, headers });
      assertEquals([response.status, (await response.json()).error], [401, "unauthenticated"]);
    }
  }
  const record = (await records.read(hash))!;
  await kv.set(recordRows.key(hash), { ...record.row, deletion_at: "2999-12-01T10:00:00.000Z" });
  for (const headers of [JSON_TYPE, STREAM]) {
    const response = await fixture.fetch(LOG, { cookie, headers });
    assertEquals([response.status, (await response.json()).error], [403, "record_closed"]);
  }
  const site = await fixture.site.request("site", LOG, { headers: JSON_TYPE });
  assertEquals([site.status, (await site.json()).error], [404, "not_found"]);
});

Deno.test("the log's stream sends new entries, resumes after each, and ends with the session", async () => {
  const { hash, cookie } = await fixture.holder();
  const open = async (query = "", headers = {}) => {
    const response = await fixture.fetch(LOG + query, {
      cookie,
      headers: { ...STREAM, ...headers },
    });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "no-store, no-transform");
    const stream = readStream(response);
    return { stream, begin: await stream.next() };
  };
  const before = (await page(cookie)).body.events;
  const { stream, begin } = await open();
  assertEquals(begin!.id, before.at(-1)!.id);
  const added: string[] = [];
  for (const detail of ["one", "two"]) {
    await addEntry(hash, detail);
    const received = stream.next();
    await poll();
    const message = await received;
    assertEquals([message!.event, message!.data.what, message!.data.detail], [
      undefined,
      "record_verified",
      detail,
    ]);
    assertEquals(message!.id, message!.data.id);
    added.push(message!.id!);
  }
  for (
    const resumed of [
      await open(`?after=${added[0]}`),
      await open("", { "last-event-id": added[0] }),
    ]
  ) {
    assertEquals((await resumed.stream.next())!.id, added[1]);
    await resumed.stream.cancel();
  }
  const ended = stream.next();
  await records.signOutEverywhere(hash, READER);
  await poll();
  assertEquals(await ended, null, "not even the entry of the sign-out is sent");
  assertEquals([streams.size, streams.watched], [0, 0]);
  assert((await fixture.fetch(LOG, { cookie, headers: STREAM })).status === 401);
});

Deno.test("a stream in which nothing happens ends within two seconds after its session", async () => {
  const { hash, cookie } = await fixture.holder();
  const response = await fixture.fetch(LOG, { cookie, headers: STREAM });
  const stream = readStream(response);
  await stream.next();
  const ended = stream.next();
  await poll();
  assertEquals(streams.size, 1);
  await holderSessions.deleteOf(kv, hash); // without an entry in the log
  fixture.clock.now += 2 * SECOND_MS;
  await poll();
  assertEquals(await ended, null);
  assertEquals(streams.size, 0);
});
