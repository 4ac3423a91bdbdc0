import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { openKv } from "../../platform/kv/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import type { MagicToken } from "./magic_tokens.ts";
import {
  clearedSessionCookie,
  type Session,
  sessionCookie,
  sessionIdOf,
  type SignedIn,
} from "./sessions.ts";
import { createFixture, requestOf } from "./testing/fixture.ts";

const ID = "3f2b8c9e-1d4a-4e6f-9a7b-0c1d2e3f4a5b";
const OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const withCookie = (cookie: string | null) =>
  new Request("http://site.localhost/", { headers: cookie === null ? {} : { cookie } });

Deno.test("the session cookie has the specified attributes in order", () => {
  assertEquals(
    sessionCookie(ID),
    `app_session=${ID}; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000; Path=/`,
  );
  assertEquals(
    clearedSessionCookie(),
    "app_session=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/",
  );
});

const COOKIES: [title: string, cookie: string | null, id: string | null][] = [
  ["alone", `app_session=${ID}`, ID],
  ["first of several", `app_session=${ID}; theme=dark`, ID],
  ["last of several", `theme=dark; app_session=${ID}`, ID],
  ["without the space", `theme=dark;app_session=${ID};a=b`, ID],
  ["among junk", `;;=; a; app_session=${ID}; =b`, ID],
  ["none", null, null],
  ["empty header", "", null],
  ["another cookie", "theme=dark", null],
  ["empty value", "app_session=", null],
  ["without a value", "app_session", null],
  ["not a uuid", "app_session=1", null],
  ["a uuid in capitals", `app_session=${ID.toUpperCase()}`, null],
  ["a uuid of another version", `app_session=${ID.replace("-4e", "-1e")}`, null],
  ["a uuid of another variant", `app_session=${ID.replace("-9a", "-ca")}`, null],
  ["a uuid without hyphens", `app_session=${ID.replaceAll("-", "")}`, null],
  ["the nil uuid", "app_session=00000000-0000-0000-0000-000000000000", null],
  ["a uuid with an extra character", `app_session=${ID}a`, null],
  ["a path into the store", "app_session=../users/1", null],
  ["in quotes", `app_session="${ID}"`, null],
  ["percent-encoded", `app_session=${ID.replaceAll("-", "%2D")}`, null],
  ["a space before the value", `app_session= ${ID}`, null],
  ["a space before =", `app_session =${ID}`, null],
  ["name in capitals", `APP_SESSION=${ID}`, null],
  ["a longer name", `x_app_session=${ID}`, null],
  ["a name that starts with the cookie's name", `app_session2=${ID}`, null],
  ["the same cookie twice", `app_session=${ID}; app_session=${ID}`, null],
  ["two different cookies", `app_session=${ID}; app_session=${OTHER}`, null],
  ["an empty cookie and a valid one", `app_session=; app_session=${ID}`, null],
  ["inside another's value", `a=app_session=${ID}`, null],
  ["joined with a comma", `a=b, app_session=${ID}`, null],
];

for (const [title, cookie, id] of COOKIES) {
  Deno.test(`sessionIdOf: ${title}`, () => assertEquals(sessionIdOf(withCookie(cookie)), id));
}

Deno.test("sessionIdOf never throws, and never returns an id that occurs twice in the header", () => {
  const piece = fc.constantFrom("app_session", "=", ";", " ", ID, OTHER, '"', ",", "a", "\t");
  fc.assert(fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
    const cookie = pieces.join("");
    const id = sessionIdOf(withCookie(cookie));
    if (id === null) return;
    assertEquals(cookie.split(`app_session=${id}`).length, 2);
  }));
});

// Boundaries of spec 8. The rows are still in the store, so only `expires_at` decides.
const TOKEN_AGES: [age: number, valid: boolean][] = [
  [15 * MINUTE_MS - 1, true],
  [15 * MINUTE_MS, false],
];

for (const [age, valid] of TOKEN_AGES) {
  Deno.test(`a token ${age} ms old ${valid ? "signs in" : "changes nothing"}`, async () => {
    using kv = await openKv(":memory:");
    const { auth, clock, token } = createFixture(kv);
    const created = clock.now;
    const issued = await token("ada@example.org");
    clock.now += age;
    assertEquals(await auth.verify(issued, "site") !== null, valid);

    const [row] = await valuesOf<MagicToken>(kv, "magic_tokens");
    assertEquals(row.used, valid ? 1 : 0);
    assertEquals(row.created_at, new Date(created).toISOString());
    assertEquals(row.expires_at, new Date(created + 15 * MINUTE_MS).toISOString());
    const [user] = await valuesOf<{ last_login: string | null }>(kv, "users");
    assertEquals(user.last_login, valid ? new Date(clock.now).toISOString() : null);
    assertEquals((await valuesOf(kv, "sessions")).length, valid ? 1 : 0);
  });
}

for (const [age, valid] of [[30 * DAY_MS - 1, true], [30 * DAY_MS, false]] as const) {
  Deno.test(`a session ${age} ms old is ${valid ? "accepted" : "refused"}`, async () => {
    using kv = await openKv(":memory:");
    const { clock, session, signIn } = createFixture(kv);
    const began = clock.now;
    const sessionId = await signIn("ada@example.org");
    clock.now += age;
    const signedIn = {
      user_id: 1,
      email: "ada@example.org",
      created_at: new Date(began).toISOString(),
    };
    const expires_at = new Date(began + 30 * DAY_MS).toISOString();
    const { row, ...found } = await session(sessionId) as Partial<SignedIn> | null ?? {};
    const id = sha256(sessionId);
    const how = { method: "link", passkey_at: null, replaces_passkeys: false } as const;
    assertEquals(found, valid ? { ...signedIn, ...how, id, expires_at } : {});
    assertEquals(row?.key, valid ? ["sessions", id] : undefined);
    assertEquals(await valuesOf<Session>(kv, "sessions"), [{
      ...signedIn,
      surface: "site",
      expires_at,
    }]);
  });
}

Deno.test("each of several open links creates its own session", async () => {
  using kv = await openKv(":memory:");
  const { auth, session, token } = createFixture(kv);
  const tokens = [await token("ada@example.org"), await token("ada@example.org")];
  const signIns = await Promise.all(tokens.map((issued) => auth.verify(issued, "site")));
  assertNotEquals(signIns[0]!.sessionId, signIns[1]!.sessionId);
  for (const signIn of signIns) assertEquals((await session(signIn!.sessionId))?.user_id, 1);
});

Deno.test("a session from an earlier version, which has no surface, is refused", async () => {
  using kv = await openKv(":memory:");
  const { signIn, session } = createFixture(kv);
  const sessionId = await signIn("ada@example.org");
  for await (const { key, value } of kv.list<Session>({ prefix: ["sessions"] })) {
    await kv.set(key, { ...value, surface: undefined });
  }
  assertEquals(await session(sessionId), null);
});

Deno.test("signing out ends one session, and returns false if there is none", async () => {
  using kv = await openKv(":memory:");
  const { auth, clock, session, signIn } = createFixture(kv);
  const [one, other] = [await signIn("ada@example.org"), await signIn("ada@example.org")];
  clock.now += 5_000;
  assertEquals(await auth.logout(requestOf(one)), true);
  assertEquals(await session(one), null);
  assertEquals((await session(other))?.user_id, 1);
  const { sessions_last_write } = await auth.stats();
  assertEquals(sessions_last_write, new Date(clock.now).toISOString());

  clock.now += 5_000;
  for (const request of [requestOf(one), requestOf(OTHER), withCookie(null)]) {
    assertEquals(await auth.logout(request), false);
  }
  assertEquals((await auth.stats()).sessions_last_write, sessions_last_write);
});

Deno.test("malformed tokens and session ids are refused without reading the store", async () => {
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
  for (const cookie of ["", "app_session=junk", `app_session=${ID}; app_session=${ID}`]) {
    assertEquals(await auth.getSession(withCookie(cookie), "site"), null);
  }
  for (const length of [0, 1, 42, 44]) {
    assertEquals(await auth.verify("a".repeat(length), "site"), null);
  }
  assertEquals(reads, 0);
  assertEquals(await session(ID), null);
  assertEquals(reads, 1);
});

Deno.test("the store contains no token, session id or client address", async () => {
  using kv = await openKv(":memory:");
  const { auth, outbox, request } = createFixture(kv, { clientLimit: 30 });
  await request("ada@example.org");
  const token = new URL(outbox.list()[0].link!).searchParams.get("token")!;
  const signIn = await auth.verify(token, "site");
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  const text = JSON.stringify(
    entries,
    (_, value) => typeof value === "bigint" ? `${value}` : value,
  );
  for (const secret of [token, signIn!.sessionId, "192.0.2.1"]) assert(!text.includes(secret));
  assert(text.includes("ada@example.org"));
});
