import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { openKv } from "../kv/mod.ts";
import { valuesOf } from "../kv/testing/temp_kv.ts";
import type { MagicToken } from "./magic_tokens.ts";
import type { Session } from "./sessions.ts";
import { createFixture, requestOf } from "./testing/fixture.ts";

const SECOND = 1_000;
const MINUTES_15 = 900 * SECOND;
const DAYS_30 = 2_592_000 * SECOND;
const MALFORMED = ["", "a", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`, "../users/1"];

// The table of spec section 3: state, what moves it, when, what comes of it.
const TOKEN: [title: string, after: number, good: boolean][] = [
  ["at once", 0, true],
  ["a second before 15 minutes", MINUTES_15 - SECOND, true],
  ["a millisecond before 15 minutes", MINUTES_15 - 1, true],
  ["at 15 minutes", MINUTES_15, false],
  ["a second after 15 minutes", MINUTES_15 + SECOND, false],
  ["after a day", 86_400 * SECOND, false],
];

for (const [title, after, good] of TOKEN) {
  Deno.test(`an unused token ${title} ${good ? "signs in" : "is expired"}`, async () => {
    using kv = await openKv(":memory:");
    const { auth, clock, token } = createFixture(kv);
    const given = await token("ada@example.org");
    const created = clock.now;
    clock.now += after;
    const signIn = await auth.verify(given, "site");
    assertEquals(signIn !== null, good);

    // The store still has the row, whatever the clock says; only `expires_at` decides.
    const [row] = await valuesOf<MagicToken>(kv, "magic_tokens");
    assertEquals(row.used, good ? 1 : 0);
    assertEquals(row.created_at, new Date(created).toISOString());
    assertEquals(row.expires_at, new Date(created + MINUTES_15).toISOString());
    const [user] = await valuesOf<{ last_login: string | null }>(kv, "users");
    assertEquals(user.last_login, good ? new Date(clock.now).toISOString() : null);
    assertEquals((await valuesOf(kv, "sessions")).length, good ? 1 : 0);
  });
}

const SESSION: [title: string, after: number, active: boolean][] = [
  ["at once", 0, true],
  ["a second before 30 days", DAYS_30 - SECOND, true],
  ["a millisecond before 30 days", DAYS_30 - 1, true],
  ["at 30 days", DAYS_30, false],
  ["a second after 30 days", DAYS_30 + SECOND, false],
];

for (const [title, after, active] of SESSION) {
  Deno.test(`a session ${title} is ${active ? "active" : "expired"}`, async () => {
    using kv = await openKv(":memory:");
    const { auth, clock, token, session } = createFixture(kv);
    const signIn = await auth.verify(await token("ada@example.org"), "site");
    const began = clock.now;
    clock.now += after;
    const expected = active ? { user_id: 1, email: "ada@example.org" } : null;
    assertEquals(await session(signIn!.sessionId), expected);
    assertEquals(await valuesOf<Session>(kv, "sessions"), [{
      user_id: 1,
      email: "ada@example.org",
      surface: "site",
      created_at: new Date(began).toISOString(),
      expires_at: new Date(began + DAYS_30).toISOString(),
    }]);
  });
}

Deno.test("a token works once, and is then refused like an expired or unknown one", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock, token } = createFixture(kv);
  const used = await token("ada@example.org");
  const expired = await token("eve@example.org");
  const first = await auth.verify(used, "site");
  assertEquals([first?.user, first?.next], [{ user_id: 1, email: "ada@example.org" }, null]);
  assertEquals(await auth.verify(used, "site"), null);
  clock.now += MINUTES_15;
  for (const bad of [used, expired, "A".repeat(43), ...MALFORMED]) {
    assertEquals(await auth.verify(bad, "site"), null, bad);
  }
  assertEquals((await valuesOf(kv, "sessions")).length, 1);
});

Deno.test("a token is worth nothing on another surface, and keeps its worth on its own", async () => {
  using kv = await openKv(":memory:");
  const { auth, token } = createFixture(kv);
  const given = await token("ada@example.org");
  assertEquals(await auth.verify(given, "foundation-console"), null);
  assertNotEquals(await auth.verify(given, "site"), null);
});

Deno.test("where a person was going travels in the token's row, if it is on this site", async () => {
  using kv = await openKv(":memory:");
  const { auth, token } = createFixture(kv);
  const surface = "commercial-console";
  const finance = "/console/finance?range=30d";
  for (const [next, kept] of [[finance, finance], ["//evil.example", null], [undefined, null]]) {
    const given = await token("ada@example.org", { surface, next });
    assertEquals((await auth.verify(given, surface))?.next, kept);
  }
});

Deno.test("several links may be open at once; each works once and begins a session of its own", async () => {
  using kv = await openKv(":memory:");
  const { auth, token, session } = createFixture(kv);
  const tokens = [await token("ada@example.org"), await token("ada@example.org")];
  const signIns = await Promise.all(tokens.map((given) => auth.verify(given, "site")));
  assertNotEquals(signIns[0]!.sessionId, signIns[1]!.sessionId);
  for (const signIn of signIns) {
    assertEquals((await session(signIn!.sessionId))?.user_id, 1);
  }
});

Deno.test("a session is valid on the surface that created it and on no other", async () => {
  using kv = await openKv(":memory:");
  const { signIn, session } = createFixture(kv);
  const surfaces = ["site", "foundation-console", "commercial-console", "workbench"] as const;
  for (const surface of surfaces) {
    const sessionId = await signIn("ada@example.org", surface);
    const accepted = [];
    for (const on of surfaces) if (await session(sessionId, on)) accepted.push(on);
    assertEquals(accepted, [surface]);
  }
});

Deno.test("a session of an earlier version, which has no surface, is not accepted", async () => {
  using kv = await openKv(":memory:");
  const { signIn, session } = createFixture(kv);
  const sessionId = await signIn("ada@example.org");
  for await (const { key, value } of kv.list<Session>({ prefix: ["sessions"] })) {
    await kv.set(key, { ...value, surface: undefined });
  }
  assertEquals(await session(sessionId), null);
});

Deno.test("signing out ends this session and no other", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock, token, session } = createFixture(kv);
  const one = (await auth.verify(await token("ada@example.org"), "site"))!.sessionId;
  const other = (await auth.verify(await token("ada@example.org"), "site"))!.sessionId;
  clock.now += 5 * SECOND;
  assertEquals(await auth.logout(requestOf(one)), true);
  assertEquals(await session(one), null);
  assertEquals((await session(other))?.user_id, 1);
  const { sessions_last_write } = await auth.stats();
  assertEquals(sessions_last_write, new Date(clock.now).toISOString());

  clock.now += 5 * SECOND;
  assertEquals(await auth.logout(requestOf(one)), false);
  assertEquals(await auth.logout(requestOf(crypto.randomUUID())), false);
  assertEquals(await auth.logout(new Request("http://site.localhost/")), false);
  assertEquals((await auth.stats()).sessions_last_write, sessions_last_write);
});

Deno.test("a cookie that we could not have given is not looked up", async () => {
  using kv = await openKv(":memory:");
  let reads = 0;
  const watched = new Proxy(kv, {
    get(target, name) {
      if (name === "get") reads++;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const { auth, session } = createFixture(watched);
  const id = crypto.randomUUID();
  for (const cookie of ["", "app_session=junk", `app_session=${id}; app_session=${id}`]) {
    const request = new Request("http://site.localhost/", { headers: { cookie } });
    assertEquals(await auth.getSession(request, "site"), null);
  }
  for (const token of MALFORMED) assertEquals(await auth.verify(token, "site"), null);
  assertEquals(reads, 0);
  assertEquals(await session(id), null);
  assertEquals(reads, 1);
});

Deno.test("the store contains no token, session id or client address", async () => {
  using kv = await openKv(":memory:");
  const { auth, outbox, request } = createFixture(kv, { clientLimit: 30 });
  await request("ada@example.org");
  const given = new URL(outbox.list()[0].link!).searchParams.get("token")!;
  const signIn = await auth.verify(given, "site");
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  const text = JSON.stringify(
    entries,
    (_, value) => typeof value === "bigint" ? `${value}` : value,
  );
  for (const secret of [given, signIn!.sessionId, "192.0.2.1"]) assert(!text.includes(secret));
  assert(text.includes("ada@example.org"));
});
