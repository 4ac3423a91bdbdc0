import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { Webhook } from "standardwebhooks";
import type { Failure } from "../../base/result.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { CLAIM_MS } from "../../platform/jobs/mod.ts";
import type { OutboxRow } from "../../platform/jobs/outbox_rows.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { until } from "../../testing/until.ts";
import { heldCounts, MAX_HELD, MOST_FAILURES } from "./rows.ts";
import { MOST_DUE, OVERLAP_MS, WEBHOOK_RETRY_MS } from "./mod.ts";
import { KEY, OWNER, ownerOf, type WebhooksFixture, webhooksFixture } from "./testing/fixture.ts";

/** Longer than a delay with its jitter. */
const after = (ms: number) => 1.1 * ms;

/** Lets all retries of an event pass. */
async function passRetries(fixture: WebhooksFixture) {
  for (const ms of WEBHOOK_RETRY_MS) await fixture.pass(after(ms));
}

Deno.test("an event is posted as a Standard Webhook that the package verifies, and listed as delivered", async () => {
  await using fixture = await webhooksFixture();
  const { secret, ...endpoint } = await fixture.create({ path: "/hook?tenant=7" });
  const data = { id: "k3v9-qxw2-m7rb-t4hd", external_id: "2026-0117", test: false };
  await fixture.emit({ data });
  const [{ path, headers, body }, ...more] = fixture.received;
  assertEquals([path, more.length], ["/hook?tenant=7", 0]);
  const timestamp = new Date(fixture.clock.now).toISOString();
  assertEquals(new Webhook(secret).verify(body, headers), {
    type: "document.issued",
    timestamp,
    data,
  });
  assertThrows(() => new Webhook(secret).verify(body.replace("0117", "0118"), headers));
  assertEquals([headers["content-type"], headers.host], ["application/json", "localhost"]);
  const [delivery, ...others] = await fixture.list(endpoint);
  assertEquals([delivery.state, delivery.attempts, delivery.status], ["delivered", 1, 200]);
  assertEquals([delivery.id, delivery.body], [headers["webhook-id"], body]);
  assertEquals([delivery.error, delivery.next_attempt_at, others.length], [null, null, 0]);
  assertEquals(await valuesOf(fixture.kv, "outbox"), []);
  assertEquals(fixture.counted, ["gatehouse_webhook_attempts_total delivered"]);
});

Deno.test("an endpoint receives only events of its issuer, mode and types", async () => {
  await using fixture = await webhooksFixture();
  await fixture.create({ path: "/live" }, ownerOf("harbour", false));
  await fixture.create({ path: "/test" }, ownerOf("harbour", true));
  await fixture.create({ path: "/other" }, ownerOf("other", false));
  const types = { path: "/withdrawn", events: ["document.withdrawn" as const] };
  await fixture.create(types, ownerOf("harbour", false));
  await fixture.emit();
  await fixture.emit({ test: true });
  await fixture.emit({ issuer: "other", type: "document.withdrawn" });
  await fixture.emit({ type: "document.withdrawn" });
  await fixture.emit({ issuer: "without endpoints" });
  const received = fixture.received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`);
  assertEquals(received.sort(), [
    "/live document.issued",
    "/live document.withdrawn",
    "/other document.withdrawn",
    "/test document.issued",
    "/withdrawn document.withdrawn",
  ]);
  const ids = new Set(fixture.received.map(({ headers }) => headers["webhook-id"]));
  assertEquals(ids.size, 4); // endpoints of one event have one id
});

Deno.test("an event whose process dies after the commit is sent by another one, once", async () => {
  await using fixture = await webhooksFixture();
  await fixture.create();
  await fixture.emit({ dies: true });
  assertEquals(fixture.received, []);
  const other = fixture.another();
  fixture.clock.now += CLAIM_MS;
  await other.drain(new AbortController().signal);
  await other.flush();
  assertEquals(fixture.received.length, 1);
  await fixture.pass(DAY_MS);
  assertEquals(fixture.received.length, 1);
});

for (
  const [what, respond, status, error] of [
    ["500", () => new Response("", { status: 500 }), 500, "server_error"],
    ["400", () => new Response("", { status: 400 }), 400, "refused"],
    [
      "a redirect",
      () => new Response("", { status: 307, headers: { location: "https://localhost/elsewhere" } }),
      307,
      "redirected",
    ],
    [
      "headers of 40 KiB",
      () => new Response("", { headers: { "x-long": "a".repeat(40_000) } }),
      null,
      "too_long",
    ],
  ] as const
) {
  Deno.test(`${what} is a failure that is retried with the same id after 5 seconds and 5 minutes`, async () => {
    await using fixture = await webhooksFixture();
    fixture.respond = respond;
    const endpoint = await fixture.create();
    await fixture.emit();
    const [first] = await fixture.list(endpoint);
    assertEquals([first.state, first.status, first.error], ["retrying", status, error]);
    assertEquals((await fixture.read(endpoint)).failures, 1);
    await fixture.pass(0.9 * WEBHOOK_RETRY_MS[0]);
    assertEquals(fixture.received.length, 1);
    await fixture.pass(0.2 * WEBHOOK_RETRY_MS[0]);
    fixture.respond = () => new Response();
    await fixture.pass(after(WEBHOOK_RETRY_MS[1]));
    const [delivered, ...others] = await fixture.list(endpoint);
    assertEquals([delivered.state, delivered.attempts, others.length], ["delivered", 3, 0]);
    const ids = new Set(fixture.received.map(({ headers }) => headers["webhook-id"]));
    assertEquals([fixture.received.length, ids.size], [3, 1]);
    assertEquals((await fixture.read(endpoint)).failures, 0);
    assertEquals(fixture.received.every(({ path }) => path === "/hook"), true);
  });
}

Deno.test("a long body does not make a success a failure, and is not stored", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("secret ".repeat(10_000));
  const endpoint = await fixture.create();
  await fixture.emit();
  const [delivery] = await fixture.list(endpoint);
  assertEquals([delivery.state, JSON.stringify(delivery).includes("secret")], ["delivered", false]);
});

Deno.test("a server that does not respond fails at the deadline", async () => {
  await using fixture = await webhooksFixture();
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<Response>();
  fixture.respond = () => {
    asked.resolve();
    return late.promise;
  };
  const endpoint = await fixture.create();
  const emitted = fixture.emit();
  await asked.promise;
  fixture.server.timeOut();
  await emitted;
  late.resolve(new Response());
  const [delivery] = await fixture.list(endpoint);
  assertEquals([delivery.state, delivery.error, delivery.status], ["retrying", "timeout", null]);
});

Deno.test("a name that leads to a private address after the endpoint was added is never connected to", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  const { network } = fixture.server;
  for (
    const addresses of [
      ["127.0.0.1"],
      ["::ffff:169.254.169.254"],
      ["93.184.215.14", "10.0.0.1"],
      ["fd00::1"],
      [],
    ]
  ) {
    network.addresses = addresses;
    await fixture.emit();
    const [{ state, error }] = await fixture.list(endpoint);
    const expected = [addresses, "retrying", "unreachable_address"];
    assertEquals([addresses, state, error], expected);
    // Issuers do not learn which names our resolver knows. Our log has the reason.
    const reason = addresses.length === 0 ? "no_address" : "private_address";
    assertEquals(fixture.logged.at(-1), {
      level: "info",
      event: "webhook_unreachable",
      webhook: endpoint.id,
      reason,
    });
  }
  assertEquals([network.connected, fixture.received], [[], []]);
  network.addresses = ["1.1.1.1"];
  await fixture.pass(after(WEBHOOK_RETRY_MS[0]));
  assertEquals(new Set(network.connected), new Set(["1.1.1.1"])); // the address that was checked
});

Deno.test("an endpoint that fails for three days is paused with an alert and a mail, holds events, and sends them once it is resumed", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 503 });
  const endpoint = await fixture.create({ path: "/hook?token=issuers-secret" });
  await fixture.emit();
  const start = fixture.clock.now;
  for (const ms of WEBHOOK_RETRY_MS.slice(0, -1)) await fixture.pass(after(ms));
  assertEquals((await fixture.read(endpoint)).state, "active");
  await fixture.pass(after(WEBHOOK_RETRY_MS.at(-1)!));
  assert(fixture.clock.now - start > 3 * DAY_MS);
  const paused = await fixture.read(endpoint);
  assertEquals([paused.state, paused.reason], ["paused", "failing"]);
  const [given] = await fixture.list(endpoint);
  const attempts = WEBHOOK_RETRY_MS.length + 1;
  assertEquals([given.state, given.attempts, given.status], ["failed", attempts, 503]);
  assertEquals(await fixture.alerts(), ["commercial webhook_paused unread"]);
  const [mail, ...mails] = await fixture.mails();
  assertEquals([mail.to, mails.length], ["registry@harbour.example", 0]);
  assertEquals(mail.subject, "Your webhook at localhost is paused");
  assertEquals(/issuers-secret|whsec/.test(mail.text + mail.html), false);

  fixture.respond = () => new Response();
  const before = fixture.received.length;
  await fixture.emit();
  await fixture.emit({ type: "document.withdrawn" });
  await fixture.pass(DAY_MS);
  assertEquals(fixture.received.length, before);
  const states = async () => (await fixture.list(endpoint)).map(({ state }) => state);
  assertEquals(await states(), ["held", "held", "failed"]);
  await fixture.webhooks.resume(endpoint, null);
  await fixture.webhooks.flush();
  assertEquals(fixture.received.length, before + 2);
  assertEquals(await states(), ["delivered", "delivered", "failed"]);
  assertEquals(await fixture.alerts(), ["commercial webhook_paused done"]);
  assertEquals((await fixture.read(endpoint)).failures, 0);
});

Deno.test("an event that alone fails for three days is given up, and its endpoint stays active", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = ({ body }) =>
    new Response("", { status: body.includes("document.erased") ? 500 : 200 });
  const endpoint = await fixture.create();
  await fixture.emit({ type: "document.erased" });
  fixture.clock.now += SECOND_MS;
  await fixture.emit();
  await passRetries(fixture);
  assertEquals((await fixture.list(endpoint)).map(({ state }) => state), ["delivered", "failed"]);
  const { state } = await fixture.read(endpoint);
  assertEquals([state, await fixture.alerts()], ["active", []]);
});

Deno.test("410 pauses an endpoint at once", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 410 });
  const endpoint = await fixture.create();
  await fixture.emit();
  const { state, reason } = await fixture.read(endpoint);
  assertEquals([state, reason], ["paused", "gone"]);
  assertEquals(await fixture.alerts(), ["commercial webhook_paused unread"]);
  assertEquals((await fixture.mails()).length, 1);
  await passRetries(fixture);
  assertEquals(fixture.received.length, 1);
  assertEquals((await fixture.list(endpoint))[0].state, "failed");
});

Deno.test("without a contact, a paused endpoint raises only the alert", async () => {
  await using fixture = await webhooksFixture();
  fixture.issuer.contact = null;
  fixture.respond = () => new Response("", { status: 410 });
  await fixture.create();
  await fixture.emit();
  assertEquals([await fixture.alerts(), await fixture.mails()], [
    ["commercial webhook_paused unread"],
    [],
  ]);
});

Deno.test("after five failures in a row, new events wait, and all are sent soon after one succeeds", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 500 });
  const endpoint = await fixture.create();
  for (let i = 0; i < 40; i++) await fixture.emit();
  assertEquals(fixture.received.length, MOST_FAILURES);
  const states = (await fixture.list(endpoint)).map(({ state }) => state);
  assertEquals(states.filter((state) => state === "held").length, 35);
  // One of those that wait is tried from time to time. It is not retried by itself.
  const ids = () => fixture.received.map(({ headers }) => headers["webhook-id"]);
  const first = ids();
  const probes = () => ids().filter((id) => !first.includes(id)).length;
  await fixture.pass(4 * MINUTE_MS);
  assertEquals(probes(), 0);
  for (let i = 0; i < 3; i++) await fixture.pass(6 * MINUTE_MS);
  assertEquals(probes(), 3);
  fixture.respond = () => new Response();
  await fixture.pass(6 * MINUTE_MS);
  await fixture.pass(HOUR_MS);
  await fixture.pass(HOUR_MS);
  const after = (await fixture.list(endpoint)).map(({ state }) => state);
  assertEquals(after, Array(40).fill("delivered"));
  assertEquals(await valuesOf(fixture.kv, "webhook_held"), []);
});

Deno.test("of many events at once, an endpoint gets a limited number of messages, and each event once", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  const other = await fixture.create({ path: "/other" }, ownerOf("other", false));
  const slow = Promise.withResolvers<void>();
  fixture.respond = async ({ path }) => {
    if (path === "/hook") await slow.promise;
    return new Response();
  };
  const sends: (() => void)[] = [];
  for (let i = 0; i < 2.5 * MOST_DUE; i++) {
    const commit = fixture.kv.atomic();
    const event = { ...OWNER, test: false, type: "document.issued", data: { i } } as const;
    sends.push(await fixture.webhooks.add(commit, { ...event, now: fixture.clock.now }));
    await commit.commit();
    sends.at(-1)!();
  }
  assertEquals((await valuesOf(fixture.kv, "outbox")).length, MOST_DUE);
  // The other issuer's event does not wait for the slow server.
  const commit = fixture.kv.atomic();
  const event = { issuer: "other", test: false, type: "document.issued", data: {} } as const;
  const send = await fixture.webhooks.add(commit, { ...event, now: fixture.clock.now });
  await commit.commit();
  send();
  await until(async () => (await fixture.list(other)).length > 0, "the other event is delivered");
  assertEquals((await fixture.list(endpoint)).filter(({ state }) => state === "delivered"), []);
  slow.resolve();
  await fixture.webhooks.flush();
  for (let i = 0; i < 3; i++) await fixture.pass(CLAIM_MS);
  const events = fixture.received.filter(({ path }) => path === "/hook")
    .map(({ body }) => JSON.parse(body).data.i);
  assertEquals(events.toSorted((a, b) => a - b), [...Array(2.5 * MOST_DUE).keys()]);
  const rows = await valuesOf(fixture.kv, "webhook_deliveries", endpoint.id);
  assertEquals(rows.length, 100);
});

Deno.test("ten slow webhooks of one issuer, in both modes, take at most eight deliveries at once, and delay nobody else", async () => {
  await using fixture = await webhooksFixture();
  const other = await fixture.create({ path: "/other" }, ownerOf("other", false));
  for (let i = 0; i < 10; i++) await fixture.create({}, ownerOf("harbour", i % 2 === 0));
  const slow = Promise.withResolvers<void>();
  let inProgress = 0;
  let most = 0;
  fixture.respond = async ({ path }) => {
    if (path === "/other") return new Response();
    most = Math.max(most, ++inProgress);
    await slow.promise;
    inProgress--;
    return new Response();
  };
  const add = async (issuer: string, test: boolean) => {
    const commit = fixture.kv.atomic();
    const event = { issuer, test, type: "document.issued", data: {} } as const;
    const send = await fixture.webhooks.add(commit, { ...event, now: fixture.clock.now });
    await commit.commit();
    send();
  };
  for (let i = 0; i < 20; i++) await add("harbour", i % 2 === 0);
  // The ten use lanes of the issuer by their random ids, and seldom fewer than all eight.
  const queued = await valuesOf<OutboxRow>(fixture.kv, "outbox");
  const lanes = new Set(queued.map(({ group }) => group)).size;
  assert(lanes > 4 && lanes <= 8, `${lanes} lanes`);
  await until(() => most >= lanes, "the slow servers are asked");
  await add("other", false);
  await until(async () => (await fixture.list(other)).length > 0, "the other event is delivered");
  slow.resolve();
  await fixture.webhooks.flush();
  assertEquals([most, fixture.received.length], [lanes, 101]);
});

Deno.test("a webhook with as many messages as it may have refuses tests and replays until it has received some", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.emit();
  const [{ id }] = await fixture.list(endpoint);
  for (let i = 0; i < MOST_DUE; i++) await fixture.emit({ dies: true });
  const { sendTest, replay, flush } = fixture.webhooks;
  for (const result of [await sendTest(endpoint), await replay(endpoint, id)]) {
    const { error, retryAfterSeconds } = result as Failure;
    assertEquals([result.ok, error, retryAfterSeconds], [false, "rate_limited", 60]);
  }
  await fixture.pass(CLAIM_MS);
  const [newest] = await fixture.list(endpoint);
  assertEquals(await replay(endpoint, newest.id), { ok: true });
  assert((await sendTest(endpoint)).ok);
  await flush();
});

Deno.test("a count of held events that expired rows have left too high is corrected to the number of rows", async () => {
  await using fixture = await webhooksFixture();
  fixture.respond = () => new Response("", { status: 500 });
  const endpoint = await fixture.create();
  for (let i = 0; i < MOST_FAILURES + 3; i++) await fixture.emit();
  const key = heldCounts.key(OWNER.issuer, OWNER.mode, endpoint.id);
  const count = async () => (await fixture.kv.get<Deno.KvU64>(key)).value?.value;
  assertEquals(await count(), 3n);
  await fixture.kv.atomic().sum(key, BigInt(MAX_HELD)).commit();
  await fixture.pass(MINUTE_MS);
  assertEquals(await count(), 3n);
});

Deno.test("two processes that send held events at the same time send each once", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  await fixture.webhooks.pause(endpoint, null);
  for (let i = 0; i < 60; i++) await fixture.emit();
  const processes = [fixture.webhooks, fixture.another()];
  await fixture.webhooks.resume(endpoint, null);
  const { signal } = new AbortController();
  await Promise.all(processes.map((each) => each.drain(signal)));
  for (const each of processes) await each.flush();
  await fixture.pass(CLAIM_MS);
  const ids = fixture.received.map(({ headers }) => headers["webhook-id"]);
  assertEquals([ids.length, new Set(ids).size], [60, 60]);
  assertEquals(await valuesOf(fixture.kv, "webhook_held"), []);
});

Deno.test("a new secret signs together with the previous one for 24 hours, or alone at once", async () => {
  await using fixture = await webhooksFixture();
  const { secret: first, ...endpoint } = await fixture.create();
  const signers = async (secrets: string[]) => {
    await fixture.emit();
    const { headers, body } = fixture.received.at(-1)!;
    const at = new Date(1000 * Number(headers["webhook-timestamp"]));
    return secrets.map((secret) =>
      headers["webhook-signature"].split(" ")
        .includes(new Webhook(secret).sign(headers["webhook-id"], at, body))
    );
  };
  const rotate = async (keep: boolean) => {
    const rotated = await fixture.webhooks.rotate(endpoint, keep, KEY);
    return rotated.ok ? rotated.secret : rotated.error;
  };
  const second = await rotate(true);
  assertNotEquals(second, first);
  assertEquals(await signers([first, second]), [true, true]);
  fixture.clock.now += OVERLAP_MS - 3; // each event takes 1 ms
  assertEquals(await signers([first, second]), [true, true]);
  assertEquals(await signers([first, second]), [false, true]);
  const third = await rotate(false);
  assertEquals(await signers([first, second, third]), [false, false, true]);
  for (let i = 0; i < 10; i++) await rotate(true);
  await fixture.emit();
  assertEquals(fixture.received.at(-1)!.headers["webhook-signature"].split(" ").length, 4);
  const stored = JSON.stringify(await valuesOf(fixture.kv), (_, value) => String(value));
  assertEquals(stored.includes("whsec_"), false);
});

Deno.test("a delivery of an issuer whose work here has ended is held", async () => {
  await using fixture = await webhooksFixture();
  const endpoint = await fixture.create();
  fixture.issuer.state = "ended";
  await fixture.emit();
  await fixture.pass(HOUR_MS);
  assertEquals(fixture.received, []);
  assertEquals((await fixture.list(endpoint)).map(({ state }) => state), ["held"]);
  fixture.issuer.state = "active";
  await fixture.pass(HOUR_MS);
  assertEquals((await fixture.list(endpoint)).map(({ state }) => state), ["delivered"]);
});
