import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { createFixture, requestOf } from "./testing/fixture.ts";

const ADA = "ada@example.org";
const BOB = "bob@example.org";
const CONSOLE = "commercial-console";
const LAPTOP = { network: "192.0.2.0/24", browser: "Firefox on Windows" };
const PHONE = { network: "2001:db8:1::/48", browser: "Safari on iPhone" };

async function fixture() {
  const kv = raceKv(await openKv(":memory:"));
  const fixture = createFixture(kv);
  const { auth, clock, token } = fixture;
  return {
    ...fixture,
    kv,
    at: (ms: number) => new Date(clock.now + ms).toISOString(),
    async start(email: string, device = LAPTOP): Promise<string> {
      const surface = CONSOLE;
      return (await auth.verify(await token(email, { surface }), surface, { device }))!.sessionId;
    },
    use: (id: string, device = LAPTOP) => auth.getSession(requestOf(id), CONSOLE, device),
    indexes: () => Array.fromAsync(kv.list({ prefix: ["sessions_by_user"] }), ({ key }) => key[2]),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a session shows where it began, and its use at most once an hour", async () => {
  using site = await fixture();
  const { auth, clock, at, use } = site;
  const created_at = at(0);
  const session = await site.start(ADA);
  const read = async () => (await auth.sessionsOf(1, CONSOLE))[0];
  const expected = { id: sha256(session), created_at, device: LAPTOP, used_at: null };
  assertEquals(await read(), expected);
  clock.now += HOUR_MS - 1;
  await use(session, PHONE);
  assertEquals(await read(), expected);
  clock.now += 1;
  await use(session, PHONE);
  const used_at = at(0);
  assertEquals(await read(), { ...expected, device: PHONE, used_at });
  clock.now += MINUTE_MS;
  await use(session, LAPTOP);
  assertEquals(await read(), { ...expected, device: PHONE, used_at });
  await auth.getSession(requestOf(session), "site", LAPTOP); // another surface
  assertEquals((await read()).device, PHONE);
});

Deno.test("sessions end for one user and surface, except the one that is kept", async () => {
  using site = await fixture();
  const { auth, clock, use } = site;
  const [first, second] = [await site.start(ADA), await site.start(ADA, PHONE)];
  const others = [await site.start(BOB), await site.signIn(ADA)];
  const counts: number[] = [];
  const ended = await auth.endSessions({
    user_id: 1,
    surface: CONSOLE,
    only: (id) => id !== sha256(second),
    addTo: (_commit, count) => counts.push(count),
  });
  assertEquals([ended, counts], [1, [1]]);
  assertEquals(await use(first), null);
  assertEquals((await use(second))?.user_id, 1);
  assertEquals((await use(others[0]))?.user_id, 2);
  assertEquals((await site.session(others[1]))?.user_id, 1);

  // A request that has read the session before it ended must not bring it back.
  clock.now += HOUR_MS;
  const late = use(second);
  await auth.endSessions({ user_id: 1, surface: CONSOLE });
  await late;
  assertEquals(await use(second), null);
  assertEquals(await auth.sessionsOf(1, CONSOLE), []);
  assertEquals((await site.indexes()).length, 2);
});

Deno.test("signing out and deleting a user leave nothing in the index", async () => {
  using site = await fixture();
  const session = await site.start(ADA);
  await site.start(ADA);
  await site.auth.logout(requestOf(session));
  assertEquals((await site.indexes()).length, 1);
  await site.auth.deleteUser(ADA);
  assertEquals(await site.indexes(), []);
  assertEquals(await valuesOf(site.kv, "sessions"), []);
});

Deno.test("a use of a session that ends at the same time is not stored", async () => {
  using site = await fixture();
  const { auth, clock, kv } = site;
  const session = await site.start(ADA);
  clock.now += HOUR_MS;
  let ended = 0;
  kv.meanwhile("session_uses", async () => {
    ended = await auth.endSessions({ user_id: 1, surface: CONSOLE });
  });
  await site.use(session, PHONE);
  assertEquals(ended, 1);
  assertEquals(await valuesOf(kv, "session_uses"), []);
});
