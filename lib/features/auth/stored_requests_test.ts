import { assertEquals } from "@std/assert";
import { sha256 } from "../../platform/kv/hash.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { createFixture } from "./testing/fixture.ts";

const ADA = "ada@example.org";
const { signal } = new AbortController();

const storedRequests = (kv: Deno.Kv) => Array.fromAsync(kv.list({ prefix: ["link_requests"] }));

/**
 * Two processes on one store. The first dies after its response: nothing that it does later is seen.
 */
async function dyingFixture(options: Parameters<typeof createFixture>[1] = {}) {
  const kv = limitKv(await openKv(":memory:"));
  const response = Promise.withResolvers<void>();
  const dead = createFixture(kv, { responseTimeoutMs: 1e9, ...options });
  const other = createFixture(kv, options);
  other.clock.now = dead.clock.now;
  return {
    kv,
    dead,
    other,
    /** Ends the first response, after which its process continues although it counted as dead. */
    respond: response.resolve,
    responded: response.promise,
    request: (email: string) =>
      dead.auth.requestLink({
        email,
        clientAddress: "192.0.2.1",
        surface: dead.site,
        next: "/account",
        responded: response.promise,
      }),
    async resume(after = 10 * SECOND_MS) {
      other.clock.now += after;
      await other.auth.resumeRequests(signal);
      await other.flush();
      return other.outbox.list().map(({ to }) => to);
    },
    async [Symbol.asyncDispose]() {
      response.resolve();
      await dead.flush();
      kv.close();
    },
  };
}

Deno.test("a request whose process died is mailed once by another one, even if the first comes back", async () => {
  await using fixture = await dyingFixture();
  const { kv, dead, respond } = fixture;
  assertEquals(await fixture.request(ADA), { ok: true });
  assertEquals(await fixture.resume(10 * SECOND_MS - 1), []); // it may still be working on it
  assertEquals(await fixture.resume(1), [ADA]);
  assertEquals(await storedRequests(kv), []);
  assertEquals(await fixture.resume(), [ADA]);
  respond();
  await dead.flush();
  assertEquals(dead.outbox.list(), []);
  const [mail] = fixture.other.outbox.list();
  const token = new URL(mail.link!).searchParams.get("token")!;
  assertEquals((await fixture.other.auth.verify(token, "site"))!.next, "/account");
});

Deno.test("the process that responded mails the link itself, and nothing is left in the store", async () => {
  await using fixture = await dyingFixture();
  await fixture.request(ADA);
  fixture.respond();
  await fixture.dead.flush();
  assertEquals(fixture.dead.outbox.list().length, 1);
  assertEquals(await storedRequests(fixture.kv), []);
  assertEquals(await fixture.resume(), []);
});

Deno.test("requests are stored in the same way whether or not the address may sign in, and without the address", async () => {
  // Names of three letters would also occur in random ids now and then.
  const [known, unknown] = ["ada.lovelace@example.org", "eve.moneypenny@example.org"];
  const permits = (email: string) => Promise.resolve(email === known);
  await using fixture = await dyingFixture({ permits });
  const { kv } = fixture;
  for (const email of [known, unknown]) {
    assertEquals(await fixture.request(email), { ok: true });
  }
  const rows = await storedRequests(kv);
  assertEquals(rows.length, 2);
  const shapes = rows.map(({ value }) => {
    const row = value as Record<string, unknown>;
    return Object.entries(row).map(([name, of]) => [name, typeof of]);
  });
  assertEquals(shapes[0], shapes[1]);
  const text = Deno.inspect(rows, { iterableLimit: Infinity, depth: 9 });
  assertEquals(/lovelace|moneypenny|example/.test(text), false);
  // Whoever reads the store can compute a hash without a key of every address that they can guess.
  assertEquals(text.includes(sha256(known)), false);
  assertEquals(await fixture.resume(), [known]);
  assertEquals(await storedRequests(kv), []);
});

Deno.test("a request that was left behind counts for the mailbox's limit", async () => {
  await using fixture = await dyingFixture();
  for (let i = 0; i < 5; i++) await fixture.request(ADA);
  assertEquals((await fixture.resume()).length, 3);
  assertEquals(await storedRequests(fixture.kv), []);
});

Deno.test("a request that was left behind expires after 15 minutes", async () => {
  await using fixture = await dyingFixture();
  await fixture.request(ADA);
  assertEquals(await fixture.resume(15 * MINUTE_MS), []);
});

Deno.test("a request that was left behind is erased with the account, and cannot create it again", async () => {
  await using fixture = await dyingFixture();
  await fixture.dead.signIn(ADA);
  await fixture.request(ADA);
  await fixture.request("eve@example.org");
  await fixture.other.auth.deleteUser(ADA);
  assertEquals((await storedRequests(fixture.kv)).length, 1);
  assertEquals(await fixture.resume(), ["eve@example.org"]);
});

Deno.test("a request whose secret was removed is dropped", async () => {
  await using fixture = await dyingFixture();
  const { kv } = fixture;
  await fixture.request(ADA);
  const rotated = createFixture(kv, {
    secrets: createSecrets({ kv, given: [new Uint8Array(32).fill(1)] }),
  });
  rotated.clock.now = fixture.dead.clock.now + 10 * SECOND_MS;
  await rotated.auth.resumeRequests(signal);
  assertEquals(await storedRequests(kv), []);
});

Deno.test("of three hung requests of one person, only the last gets an email; requests of others, and on other sites, get theirs", async () => {
  await using fixture = await dyingFixture();
  const { dead } = fixture;
  for (const email of [ADA, ADA, "bob@example.org", ADA]) {
    await fixture.request(email);
    dead.clock.now += SECOND_MS;
  }
  fixture.other.clock.now = dead.clock.now;
  assertEquals((await fixture.resume(MINUTE_MS)).toSorted(), [ADA, "bob@example.org"]);
  assertEquals(await storedRequests(fixture.kv), []);
});

Deno.test("the browser that asked is told that its email is late or was not sent, the same for every address, and nothing once it was sent", async () => {
  await using fixture = await dyingFixture();
  const { dead, other } = fixture;
  const ids: string[] = [];
  const ask = (email: string) =>
    dead.auth.requestLink({
      ...{ email, clientAddress: "192.0.2.1", surface: dead.site, responded: fixture.responded },
      onStored: (id) => ids.push(id),
    });
  await ask(ADA);
  await ask("nobody@example.org");
  const states = () => Promise.all(ids.map((id) => other.auth.askedRequest(id)));
  const at = new Date(dead.clock.now).toISOString();
  assertEquals(await states(), [null, null]); // not late yet
  other.clock.now += 10 * SECOND_MS;
  assertEquals(await states(), [{ at, state: "waits" }, { at, state: "waits" }]);
  other.clock.now += 15 * MINUTE_MS;
  await other.auth.resumeRequests(signal);
  assertEquals(await states(), [{ at, state: "lapsed" }, { at, state: "lapsed" }]);
  other.clock.now -= 14 * MINUTE_MS;
  await fixture.resume();
  assertEquals(await states(), [null, null]);
});
