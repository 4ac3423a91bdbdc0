import { assertEquals, assertRejects } from "@std/assert";
import { type ChainEvent, Feed, FeedError, labelOf, type StoredFeed } from "../docs/app/client.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { until } from "../lib/testing/until.ts";
import { recordFixture } from "./record_site.ts";

const service = fakePush();
const fixture = await recordFixture({}, { pushProviders: { android: service } });
Deno.test.afterAll(async () => await fixture[Symbol.asyncDispose]());
const { site } = fixture;
const { chains, push, surfaces } = site.services;
const { keys } = await (await site.request("trust", "/.well-known/chain-keys.json")).json();

/** A phone with the app: it is registered for the pushes of a new record, and shows its feed. */
async function phone() {
  const { hash, cookie } = await fixture.holder();
  const json = { platform: "android", token: hash };
  const registered = await fixture.fetch("/api/push/register", { cookie, json });
  assertEquals(registered.status, 201);
  const requests: string[] = [];
  const statuses: number[] = [];
  /** While it is pending, responses stay on their way. */
  let delay = Promise.resolve();
  const shown: string[] = [];
  const rows = (events: ChainEvent[], how: string) =>
    events.map(({ seq }) => `${seq}${how}`).forEach((row) => shown.push(row));
  const create = (stored?: StoredFeed, respond?: (url: string) => Response | undefined) =>
    new Feed({
      chainUrl: surfaces.url("api", `/api/chain/${hash}`)!,
      hash,
      publisher: chains.publisher,
      keys,
      stored,
      async fetch(url, init) {
        requests.push(new URL(url).search);
        const path = url.slice(new URL(url).origin.length);
        const response = respond?.(url) ?? await site.request("api", path, init);
        statuses.push(response.status);
        await delay;
        return response;
      },
      wait: (ms) => Promise.resolve(void shown.push(`wait ${ms}`)),
      onRows: (events, typed) => rows(events, typed ? " typed" : ""),
      onOlder: (events) => rows(events, " older"),
      onRestart: () => shown.push("restart"),
    });
  return {
    hash,
    requests,
    statuses,
    shown,
    create,
    delay: (by: Promise<void>) => void (delay = by),
    feed: create(),
    /** Appends events, and returns the payloads of their pushes. */
    async append(count: number) {
      service.sent = [];
      for (let i = 0; i < count; i++) await chains.append(hash, "record_verified");
      await push.flush();
      return service.sent.filter(({ target }) => "token" in target && target.token === hash)
        .map(({ message: { seq, event } }) => ({ seq, event }))
        .sort((a, b) => a.seq - b.seq);
    },
  };
}

Deno.test("a received push causes one request and a typed row at the bottom", async () => {
  const { feed, requests, shown, append } = await phone();
  await feed.open();
  assertEquals(shown, ["0", "1"]);
  const [payload] = await append(1);
  assertEquals(Object.keys(payload), ["seq", "event"]);
  requests.length = 0;
  await feed.received(payload);
  assertEquals(requests.length, 1);
  assertEquals(shown, ["0", "1", "2 typed"]);
});

Deno.test("after lost, repeated and overtaken pushes each row is typed once, in order", async () => {
  const { feed, requests, shown, append } = await phone();
  await feed.open();
  const [, second, third, fourth, fifth] = await append(5);
  requests.length = 0;
  await Promise.all([feed.received(third), feed.received(second), feed.received(third)]);
  await feed.received(fourth);
  await feed.received(fifth);
  assertEquals(requests.length, 1);
  assertEquals(shown.slice(2), [2, 3, 4, 5, 6].map((seq) => `${seq} typed`));
});

Deno.test("a push that arrives during a request for older events is not lost", async () => {
  const { feed, statuses, shown, append, delay } = await phone();
  await feed.open();
  const { promise, resolve } = Promise.withResolvers<void>();
  delay(promise);
  const started = feed.catchUp(false);
  await until(() => statuses.length >= 2, "the request for older events was sent");
  const [payload] = await append(1);
  const received = feed.received(payload);
  resolve();
  await Promise.all([started, received]);
  assertEquals(shown, ["0", "1", "2 typed"]);
});

Deno.test("a warm start shows the stored rows and asks with the ETag, so that 304 adds nothing", async () => {
  const { feed, create, shown, statuses, append } = await phone();
  await append(120);
  await feed.open();
  await feed.older();
  await feed.older();
  await feed.older();
  assertEquals(feed.stored.events.map(({ seq }) => seq), Array.from({ length: 122 }, (_, i) => i));
  await feed.catchUp(false);
  const restored = create(JSON.parse(JSON.stringify(feed.stored)));
  shown.length = 0;
  await restored.open();
  assertEquals(shown.length, 122);
  assertEquals(statuses.slice(-2), [200, 304]);
  await append(70);
  shown.length = 0;
  await restored.catchUp(false);
  assertEquals(shown.length, 70);
});

Deno.test("stored pages are verified without a network, and an altered event or head is found", async () => {
  const { feed, create } = await phone();
  await feed.open();
  const offline = (change: (stored: StoredFeed) => void = () => {}) => {
    const stored = structuredClone(feed.stored);
    change(stored);
    return create(stored, () => Response.error()).verifyStored();
  };
  await offline();
  const changes: ((stored: StoredFeed) => void)[] = [
    ({ events }) => events[1].at = "2020-01-01T00:00:00.000Z",
    ({ events }) => events[0].kind = "sms_confirmed",
    ({ events }) => events.splice(0, 1, { ...events[0], prev: "0".repeat(64) }),
    ({ events }) => events.pop() && events.push({ ...events[0], seq: 1 }),
    ({ events }) => events.pop(),
    ({ head }) => head!.size = 3,
    ({ head }) => head!.origin = "other.example/" + "0".repeat(64),
  ];
  for (const change of changes) {
    const error = await assertRejects(() => offline(change), FeedError);
    assertEquals((error as FeedError).code, "not_verified", String(change));
  }
});

Deno.test("409 discards the rows, keeps the old head, and starts over", async () => {
  const { feed, create, shown, hash } = await phone();
  await feed.open();
  const old = structuredClone(feed.stored);
  // The server loses the newest event, and another one takes its place.
  await site.services.kv.delete(["chains", hash]);
  for await (const { key } of site.services.kv.list({ prefix: ["chain_events", hash] })) {
    await site.services.kv.delete(key);
  }
  await chains.start(hash);
  await chains.append(hash, "record_verified");
  await feed.catchUp(true);
  assertEquals(shown, ["0", "1", "restart", "0", "1"]);
  assertEquals(feed.stored.replaced, [old.head]);
  const mixed = create({ ...old, head: feed.stored.head });
  await assertRejects(() => mixed.verifyStored(), FeedError, "other events");
  await feed.received({ seq: 0, event: "f".repeat(64) });
  assertEquals(shown.slice(5), ["restart", "0", "1"]);
});

Deno.test("a page of older events that does not meet the first row is refused", async () => {
  const { create, append, shown, hash } = await phone();
  await append(60);
  const earlier = await chains.page(hash, { before: 10, limit: 5 });
  const feed = create(
    undefined,
    (url) => url.includes("before=") ? Response.json(earlier) : undefined,
  );
  await feed.open();
  await assertRejects(() => feed.older(), FeedError, "do not meet");
  assertEquals([shown.length, feed.stored.events.length], [50, 50]);
});

Deno.test("503 is repeated after Retry-After, and an unknown chain is an error", async () => {
  const { create, shown } = await phone();
  let busy = 1;
  const body = { error: "unavailable", message: "Busy." };
  const feed = create(
    undefined,
    () =>
      busy-- > 0
        ? Response.json(body, { status: 503, headers: { "retry-after": "5" } })
        : undefined,
  );
  await feed.open();
  assertEquals(shown, ["wait 5000", "0", "1"]);
  const gone = { error: "not_found", message: "Gone." };
  const missing = create(undefined, () => Response.json(gone, { status: 404 }));
  const error = await assertRejects(() => missing.open(), FeedError);
  assertEquals((error as FeedError).code, "not_found");
});

Deno.test("a kind that the app does not know is shown plainly", () => {
  assertEquals(labelOf("record_verified"), "Record verified");
  assertEquals(labelOf("record_moved"), "record moved");
  assertEquals(labelOf("constructor"), "constructor");
});
