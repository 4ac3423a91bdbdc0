import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../app/config.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { mailboxWindow } from "./link_requests.ts";
import { clientWindow } from "./mailed_links.ts";
import { createFixture } from "./testing/fixture.ts";

const surfaceNamed = createSurfaces(parseConfig({})).get;

Deno.test("a mailbox gets three links in any hour, to the millisecond", async () => {
  using kv = await openKv(":memory:");
  const { issue, clock } = createFixture(kv);
  const start = clock.now;
  const steps: [after: number, result: string | number][] = [
    [0, "sent"],
    [60_000, "sent"],
    [120_000, "sent"],
    [120_000, 3_480],
    [120_001, 3_480],
    [121_000, 3_479],
    [HOUR_MS - 1_000, 1],
    [HOUR_MS - 1, 1],
    [HOUR_MS, "sent"],
    [HOUR_MS, 60],
    [HOUR_MS + 1_000, 59],
    [HOUR_MS + 60_000, "sent"],
    [HOUR_MS + 60_000, 60],
    [2 * HOUR_MS + 60_000 - 1, "sent"],
    [2 * HOUR_MS + 60_000, "sent"],
    [2 * HOUR_MS + 60_000, "sent"],
    [2 * HOUR_MS + 60_000, 3_600],
  ];
  for (const [after, result] of steps) {
    clock.now = start + after;
    assertEquals(await issue("ada@example.org"), result, `after ${after} ms`);
  }
});

Deno.test("a client has one limit for all addresses, and a refused request changes nothing", async () => {
  using kv = await openKv(":memory:");
  const { request, clock, outbox, auth } = createFixture(kv, { clientLimit: 5 });
  for (let i = 0; i < 5; i++) assertEquals(await request(`a${i}@example.org`), { ok: true });
  clock.now += 1_000;
  assertEquals(await request("new@example.org"), {
    ok: false,
    error: "rate_limited",
    message: "Too many links were requested. Try again in 60 minutes.",
    retryAfterSeconds: 3_599,
  });
  assertEquals((await auth.stats()).users, 5);
  assertEquals((await valuesOf(kv, "magic_tokens")).length, 5);
  assertEquals(await request("new@example.org", { clientAddress: "192.0.2.2" }), { ok: true });

  // The refused address still has its links, and the client may send requests again after an hour.
  clock.now += HOUR_MS - 1_000;
  assertEquals(await request("new@example.org"), { ok: true });
  assertEquals(outbox.list().filter(({ to }) => to === "new@example.org").length, 2);
});

Deno.test("a client limit of 0 means no limit", async () => {
  using kv = await openKv(":memory:");
  const { request } = createFixture(kv, { clientLimit: 0 });
  for (let i = 0; i < 40; i++) assertEquals(await request(`a${i}@example.org`), { ok: true });
});

const RESPONSES: [title: string, responded: () => Promise<unknown>][] = [
  ["was sent", () => Promise.resolve()],
  ["could not be sent", () => Promise.reject(new Error("The client is gone."))],
  ["the client did not read in time", () => new Promise(() => {})],
];

for (const [title, responded] of RESPONSES) {
  Deno.test(`a link is mailed after a response that ${title}`, async () => {
    using kv = await openKv(":memory:");
    const { outbox, request } = createFixture(kv, { responseTimeoutMs: 1 });
    assertEquals(await request("ada@example.org", { responded: responded() }), { ok: true });
    assertEquals(outbox.list().length, 1);
  });
}

Deno.test("requests beyond the maximum number of pending ones are refused before anything is stored", async () => {
  using kv = await openKv(":memory:");
  const { auth, flush } = createFixture(kv, { responseTimeoutMs: MINUTE_MS });
  const held = Promise.withResolvers<void>();
  const request = () =>
    auth.requestLink({
      email: "ada@example.org",
      clientAddress: "192.0.2.1",
      surface: surfaceNamed("site")!,
      responded: held.promise,
    });
  for (let i = 0; i < 1_000; i++) assertEquals(await request(), { ok: true });
  assertEquals(await request(), { ok: false, error: "unavailable", retryAfterSeconds: 5 });
  held.resolve();
  await flush();
  assertEquals(await request(), { ok: true });
  await flush();
});

Deno.test("a failure while preparing a link logs one line, without the address", async () => {
  using kv = await openKv(":memory:");
  const lines: Record<string, unknown>[] = [];
  const { request, outbox } = createFixture(kv, {
    log: (line) => lines.push(line),
    permits: () => {
      throw new TypeError("The store is closed.");
    },
  });
  assertEquals(await request("ada@example.org"), { ok: true });
  assertEquals(outbox.list(), []);
  assertEquals(lines.map(({ stack: _, ...line }) => line), [
    { level: "error", event: "sign_in_link_failed", reason: "unexpected" },
  ]);
  assert(!JSON.stringify(lines).includes("ada@"));
});

Deno.test("keys contain neither the address nor the client, and IPv6 clients are grouped by network", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const keys = JSON.stringify([
    await mailboxWindow(secrets, "ada@example.org", "site"),
    clientWindow("192.0.2.1", 30),
  ]);
  // Whoever reads the store can compute a hash without a key of every address that they can guess.
  assert(!keys.includes(sha256("ada@example.org")));
  assert(!keys.includes("ada") && !keys.includes("192"));
  assertEquals(clientWindow("2001:db8::1", 1).key, clientWindow("2001:db8:0:0:ffff::2", 1).key);
  assert(`${clientWindow("2001:db8::1", 1).key}` !== `${clientWindow("2001:db8:0:1::1", 1).key}`);
});

Deno.test("40 concurrent requests email three links to one address, and exceed the client's limit by at most a fifth", async () => {
  using kv = await openKv(":memory:");
  // Two instances, like two processes, so that no queue in one process orders the requests.
  const instances = [0, 1].map(() => createFixture(kv, { clientLimit: 50 }));
  const mails = () => instances.flatMap(({ outbox }) => outbox.list()).length;
  const requests = (email: (i: number) => string) =>
    Promise.all(Array.from({ length: 40 }, (_, i) => instances[i % 2].request(email(i))));
  assertEquals((await requests(() => "a@example.org")).filter(({ ok }) => ok).length, 40);
  assertEquals(mails(), 3);
  const more = (await requests((i) => `b${i}@example.org`)).filter(({ ok }) => ok).length;
  assert(more >= 10 && more <= 20, `${more}`);
  assertEquals(mails(), 3 + more);
  assertEquals((await valuesOf(kv, "magic_tokens")).length, 3 + more);
});
