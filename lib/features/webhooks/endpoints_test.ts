import { assert, assertEquals } from "@std/assert";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { changeHeldCount, MAX_HELD, MOST_FAILURES } from "./rows.ts";
import { MAX_ENDPOINTS, newEndpointSchema, WEBHOOK_RETRY_MS } from "./mod.ts";
import { KEY, OWNER, ownerOf, webhooksFixture } from "./testing/fixture.ts";

const states = (rows: readonly { state: string }[]) => rows.map(({ state }) => state);

Deno.test("a webhook must be an https URL with a host name on port 443, whose addresses are all public", async () => {
  await using fixture = await webhooksFixture();
  const { network } = fixture.server;
  const create = async (url: string) => {
    const input = newEndpointSchema.safeParse({ url });
    if (!input.success) return "invalid";
    const created = await fixture.webhooks.create(OWNER, input.data);
    return created.ok ? "created" : Object.keys(created.issues ?? {}).join();
  };
  const bad = [
    "http://localhost/",
    "https://localhost:8443/",
    "https://user@localhost/",
    "https://localhost/#a",
    "https://127.0.0.1/",
    "https://93.184.215.14/",
    "https://[::1]/",
    "https://0x7f000001/",
    "ftp://localhost/",
    "/hook",
    `https://localhost/${"a".repeat(1_000)}`,
  ];
  for (const url of bad) assert(["invalid", "url"].includes(await create(url)), url);
  for (const addresses of [["10.0.0.1"], ["1.1.1.1", "::1"], ["::ffff:127.0.0.1"], []]) {
    network.addresses = addresses;
    assertEquals([addresses, await create("https://localhost/")], [addresses, "url"]);
  }
  assertEquals(await valuesOf(fixture.kv, "webhook_endpoints"), []);
  network.addresses = ["1.1.1.1", "2606:4700::1111"];
  assertEquals(await create("https://localhost:443/hook"), "created");
  const [{ url }] = await fixture.webhooks.list(OWNER);
  assertEquals(url, "https://localhost/hook");
  network.addresses = ["192.168.0.1"];
  const changed = await fixture.webhooks.update(
    (await fixture.webhooks.list(OWNER))[0],
    { url: "https://localhost/other" },
    KEY,
  );
  assertEquals(changed.ok, false);
});

Deno.test("only tests have a URL on the developer's own machine, to which a site elsewhere sends nothing", async () => {
  await using fixture = await webhooksFixture();
  const { webhooks } = fixture;
  const input = newEndpointSchema.parse({ url: "http://localhost:3000/events" });
  const refused = await webhooks.create(OWNER, input);
  assertEquals(refused.ok ? null : Object.keys(refused.issues!), ["url"]);
  const { endpoint } = unwrap(await webhooks.create(ownerOf("harbour", true), input));
  assertEquals([endpoint.state, endpoint.reason], ["paused", "own_machine"]);
  const resumed = await webhooks.resume(endpoint, null);
  assertEquals(unwrap(resumed).endpoint.reason, "own_machine");
  const data = { id: "k3v9-qxw2-m7rb-t4hd" };
  const commit = fixture.kv.atomic();
  const event = { issuer: "harbour", test: true, type: "document.issued", data } as const;
  const send = await webhooks.add(commit, { ...event, now: fixture.clock.now });
  await commit.commit();
  send();
  await webhooks.flush();
  const { data: [delivery] } = unwrap(await webhooks.listDeliveries(endpoint));
  assertEquals([delivery.state, delivery.headers!["webhook-id"]], ["held", delivery.id]);
  assert((await webhooks.sendTest(endpoint)).ok);
  const { data: [test] } = unwrap(await webhooks.listDeliveries(endpoint));
  assertEquals([test.type, test.state], ["webhook.test", "held"]);
  assertEquals(fixture.received, []);
  const url = "https://localhost/events";
  const moved = unwrap(await webhooks.update(endpoint, { url }, KEY));
  assertEquals([moved.endpoint.state, moved.endpoint.reason], ["active", null]);
  const back = unwrap(await webhooks.update(endpoint, { url: input.url }, KEY));
  assertEquals(back.endpoint.reason, "own_machine");
});

Deno.test("there can be 16 webhooks per issuer and mode, even if all are added at once", async () => {
  await using fixture = await webhooksFixture();
  const input = newEndpointSchema.parse({ url: "https://localhost/" });
  const results = await Promise.all(
    Array.from({ length: MAX_ENDPOINTS + 4 }, () => fixture.webhooks.create(OWNER, input)),
  );
  const refused = results.flatMap((result) => result.ok ? [] : [result.error]);
  assertEquals(refused, Array(4).fill("conflict"));
  assertEquals((await fixture.webhooks.list(OWNER)).length, MAX_ENDPOINTS);
  assert((await fixture.webhooks.create(ownerOf("harbour", true), input)).ok);
  assert((await fixture.webhooks.create(ownerOf("other", false), input)).ok);
  await fixture.webhooks.remove((await fixture.webhooks.list(OWNER))[3], null);
  assert((await fixture.webhooks.create(OWNER, input)).ok);
});

Deno.test("the id of a webhook leads to nothing for another issuer or mode", async () => {
  await using fixture = await webhooksFixture();
  const { webhooks } = fixture;
  const endpoint = await fixture.create();
  await fixture.emit();
  const [delivery] = await fixture.list(endpoint);
  const before = await valuesOf(fixture.kv, "webhook_endpoints");
  for (const owner of [ownerOf("other", false), ownerOf("harbour", true)]) {
    const ref = { ...owner, id: endpoint.id };
    const results = await Promise.all([
      webhooks.update(ref, { description: "changed" }, KEY),
      webhooks.rotate(ref, true, KEY),
      webhooks.pause(ref, null),
      webhooks.resume(ref, null),
      webhooks.remove(ref, null),
      webhooks.sendTest(ref),
      webhooks.replay(ref, delivery.id),
      webhooks.replayFailed(ref, 0),
      webhooks.read(ref),
      webhooks.deliveries(ref),
    ]);
    assertEquals(
      results.map((result) => result.ok ? "ok" : result.error),
      Array(10).fill("not_found"),
    );
    assertEquals(await webhooks.list(owner), []);
  }
  const own = await fixture.create({ path: "/own" }, ownerOf("other", false));
  const foreign = await webhooks.replay(own, delivery.id);
  assertEquals(foreign.ok, false);
  await webhooks.flush();
  assertEquals(fixture.received.length, 1);
  assertEquals((await valuesOf(fixture.kv, "webhook_endpoints")).length, before.length + 1);
});

Deno.test("a webhook that is removed leaves nothing in the store, and receives nothing more", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 500 });
  const endpoint = await fixture.create();
  for (let i = 0; i < 10; i++) await fixture.emit();
  await fixture.emit({ dies: true });
  assertEquals(await fixture.webhooks.remove(endpoint, "admin@example.org"), { ok: true });
  const audit = await valuesOf<{ action: string }>(fixture.kv, "audit");
  assertEquals(audit.map(({ action }) => action), ["webhook_removed"]);
  for (
    const prefix of [
      "webhook_endpoints",
      "webhook_endpoints_by_slot",
      "webhook_deliveries",
      "webhook_held",
      "outbox",
      "outbox_dead",
    ]
  ) {
    assertEquals([prefix, await valuesOf(fixture.kv, prefix)], [prefix, []]);
  }
  const before = fixture.received.length;
  await fixture.pass(DAY_MS);
  assertEquals(fixture.received.length, before);
});

Deno.test("removeAll() removes the webhooks of one issuer only", async () => {
  await using fixture = await webhooksFixture();
  await fixture.create();
  await fixture.create({}, ownerOf("harbour", true));
  const other = await fixture.create({}, ownerOf("other", true));
  await fixture.webhooks.removeAll("harbour");
  const left = await valuesOf<{ id: string }>(fixture.kv, "webhook_endpoints");
  assertEquals(left.map(({ id }) => id), [other.id]);
});

Deno.test("replaying a delivered event sends it once more with the same id and body, and a new signature", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.emit();
  const [{ id }] = await fixture.list(endpoint);
  fixture.clock.now += MINUTE_MS;
  assertEquals(await fixture.webhooks.replay(endpoint, id), { ok: true });
  await fixture.webhooks.flush();
  const [first, second] = fixture.received;
  assertEquals([second.body, second.headers["webhook-id"]], [first.body, id]);
  assert(second.headers["webhook-timestamp"] > first.headers["webhook-timestamp"]);
  const [{ state, attempts }, ...others] = await fixture.list(endpoint);
  assertEquals([state, attempts, others.length], ["delivered", 2, 0]);
});

Deno.test("a replay of an event that is being retried replaces its retries", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 500 });
  const endpoint = await fixture.create();
  await fixture.emit();
  const [{ id }] = await fixture.list(endpoint);
  for (let i = 0; i < 3; i++) {
    fixture.clock.now++;
    await fixture.webhooks.replay(endpoint, id);
    await fixture.webhooks.flush();
  }
  assertEquals(fixture.received.length, 4);
  await fixture.pass(1.1 * WEBHOOK_RETRY_MS[0]);
  assertEquals(fixture.received.length, 5); // of the last replay alone
  fixture.respond = () => new Response();
  await fixture.webhooks.replay(endpoint, id);
  await fixture.webhooks.flush();
  for (const ms of WEBHOOK_RETRY_MS) await fixture.pass(1.1 * ms);
  assertEquals(fixture.received.length, 6);
  assertEquals(states(await fixture.list(endpoint)), ["delivered"]);
});

Deno.test("replayFailed() sends the events again that have failed since a time", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = ({ body }) => new Response("", { status: body.includes("erased") ? 400 : 200 });
  const endpoint = await fixture.create();
  await fixture.emit({ type: "document.erased", data: { n: 1 } });
  await fixture.emit();
  const since = fixture.clock.now + 1;
  await fixture.emit({ type: "document.erased", data: { n: 2 } });
  await fixture.emit({ type: "document.erased", data: { n: 3 } });
  await fixture.emit();
  for (const ms of WEBHOOK_RETRY_MS) await fixture.pass(1.1 * ms);
  const failed = ["delivered", "failed", "failed", "delivered", "failed"];
  assertEquals(states(await fixture.list(endpoint)), failed);
  fixture.received.length = 0;
  fixture.respond = () => new Response();
  assertEquals(await fixture.webhooks.replayFailed(endpoint, since), { ok: true, count: 2 });
  await fixture.webhooks.flush();
  const sent = fixture.received.map(({ body }) => JSON.parse(body).data.n);
  assertEquals(sent.sort(), [2, 3]);
  assertEquals(states(await fixture.list(endpoint)), [...Array(4).fill("delivered"), "failed"]);
  assertEquals(await fixture.webhooks.replayFailed(endpoint, since), { ok: true, count: 0 });
});

Deno.test("a paused webhook refuses tests and replays, and is resumed by the issuer or an administrator", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.emit();
  const [{ id }] = await fixture.list(endpoint);
  await fixture.webhooks.pause(endpoint, null);
  assertEquals((await fixture.read(endpoint)).reason, "issuer");
  const refused = [
    await fixture.webhooks.sendTest(endpoint),
    await fixture.webhooks.replay(endpoint, id),
  ];
  assertEquals(refused.map((result) => result.ok ? "ok" : result.error), ["conflict", "conflict"]);
  await fixture.webhooks.resume(endpoint, "admin@example.org");
  const audit = await valuesOf<{ action: string; by: string }>(fixture.kv, "audit");
  assertEquals(audit.map(({ action }) => action), ["webhook_resumed"]);
  const test = await fixture.webhooks.sendTest(endpoint);
  await fixture.webhooks.flush();
  const { body, headers } = fixture.received.at(-1)!;
  assertEquals(JSON.parse(body).type, "webhook.test");
  assertEquals(test, { ok: true, id: headers["webhook-id"] });
});

Deno.test("a test event reaches a webhook that wants other types", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create({ events: ["document.withdrawn"] });
  await fixture.webhooks.sendTest(endpoint);
  await fixture.webhooks.flush();
  assertEquals(fixture.received.length, 1);
});

Deno.test("a new URL begins without failures, and gets the events that waited", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = ({ path }) => new Response("", { status: path === "/hook" ? 500 : 200 });
  const endpoint = await fixture.create();
  for (let i = 0; i < MOST_FAILURES + 3; i++) await fixture.emit();
  const url = "https://localhost/new";
  assert((await fixture.webhooks.update(endpoint, { url }, KEY)).ok);
  await fixture.webhooks.flush();
  const sent = fixture.received.filter(({ path }) => path === "/new");
  assertEquals(sent.length, 3);
  assertEquals((await fixture.read(endpoint)).failures, 0);
  await fixture.pass(1.1 * WEBHOOK_RETRY_MS[0]);
  assertEquals(states(await fixture.list(endpoint)), Array(MOST_FAILURES + 3).fill("delivered"));
});

Deno.test("events beyond the most that are held are not kept, and counted", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.webhooks.pause(endpoint, null);
  await fixture.emit();
  const commit = fixture.kv.atomic();
  changeHeldCount(commit, endpoint, MAX_HELD - 2);
  await commit.commit();
  await fixture.emit();
  await fixture.emit();
  assertEquals(states(await fixture.list(endpoint)), ["held", "held"]);
  assertEquals(fixture.counted, ["gatehouse_webhook_events_dropped_total"]);
});

Deno.test("a count that is too high because held rows have expired is corrected, so that new events are kept", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.webhooks.pause(endpoint, null);
  await fixture.emit();
  const commit = fixture.kv.atomic();
  changeHeldCount(commit, endpoint, MAX_HELD); // as many rows that are gone
  await commit.commit();
  await fixture.pass(0);
  await fixture.emit();
  assertEquals(states(await fixture.list(endpoint)), ["held", "held"]);
  const counts = await valuesOf<Deno.KvU64>(fixture.kv, "webhook_held");
  assertEquals([counts.map(({ value }) => value), fixture.counted], [[2n], []]);
});
