import { assert, assertEquals } from "@std/assert";
import { createIds, transact } from "../../platform/kv/mod.ts";
import { spawnChild } from "../../platform/kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import type { IssuedLink, SignIn } from "./links.ts";
import type { MagicToken } from "./magic_tokens.ts";
import { createFixture } from "./testing/fixture.ts";
import { upsertUser, type User } from "./users.ts";

const CHILD = import.meta.resolve("./testing/child.ts");
const indices = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Runs the same job in two processes at the same time, and returns the results of both. */
async function inTwoProcesses<Result>(...args: string[]): Promise<Result[]> {
  await using one = await spawnChild(CHILD, ...args);
  await using other = await spawnChild(CHILD, ...args);
  await Promise.all([one.go(), other.go()]);
  const results = await Promise.all([one.next<Result[]>(), other.next<Result[]>()]);
  return results.flatMap((result) => result!);
}

Deno.test("200 concurrent clicks on one link create exactly one session", async () => {
  await using store = await tempKv();
  const { auth, session, token } = createFixture(store.kv);
  const given = await token("ada@example.org");
  const clicks = await Promise.all(indices(200).map(() => auth.verify(given, "site")));
  const signIns = clicks.filter((signIn) => signIn !== null);
  assertEquals(signIns.length, 1);
  assertEquals((await valuesOf(store.kv, "sessions")).length, 1);
  assertEquals((await session(signIns[0].sessionId))?.email, "ada@example.org");
});

Deno.test("200 concurrent first sign-ins with one address create one user", async () => {
  await using store = await tempKv();
  const ids = createIds(store.kv, ["users_last_id"]);
  const count = 200;
  const users = await Promise.all(
    indices(count).map(() =>
      transact(async () => {
        const commit = store.kv.atomic();
        return {
          result: await upsertUser(store.kv, ids, commit, "ada@example.org", Date.now()),
          commit,
        };
        // Each attempt that fails lets another one succeed, so this many are enough on any machine.
      }, count)
    ),
  );
  assertEquals(new Set(users.map(({ user_id }) => user_id)).size, 1);
  const { auth } = createFixture(store.kv);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
  assertEquals((await auth.stats()).users, 1);
});

Deno.test("200 concurrent requests for one new address create one user and three tokens", async () => {
  await using store = await tempKv();
  const { issue } = createFixture(store.kv);
  const issued = await Promise.all(indices(200).map(() => issue("ada@example.org")));
  assertEquals(issued.filter((result) => result === "sent").length, 3);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
  const ids = (await valuesOf<MagicToken>(store.kv, "magic_tokens")).map(({ id }) => id);
  assertEquals(new Set(ids).size, 3);
  const [{ id }] = await valuesOf<User>(store.kv, "users");
  assertEquals((await valuesOf(store.kv, "magic_tokens_by_user", id)).length, 3);
});

Deno.test("two processes with 100 clicks each create exactly one session from one link", async () => {
  await using store = await tempKv();
  const { session, token } = createFixture(store.kv);
  const given = await token("ada@example.org");
  const clicks = await inTwoProcesses<SignIn | null>(store.path, "verify", given, "100");
  assertEquals(clicks.length, 200);
  const [signIn, ...others] = clicks.filter((click) => click !== null);
  assertEquals(others, []);
  assertEquals((await valuesOf(store.kv, "sessions")).length, 1);
  assertEquals((await session(signIn.sessionId))?.email, "ada@example.org");
});

Deno.test("two processes that sign up the same 60 addresses create 60 users with ids of their own", async () => {
  await using store = await tempKv();
  const issued = await inTwoProcesses<IssuedLink>(store.path, "sign-up", "60", "new");
  assertEquals(issued.filter(({ ok }) => ok).length, 120);
  const users = await valuesOf<User>(store.kv, "users");
  assertEquals(new Set(users.map(({ id }) => id)).size, 60);
  assertEquals(new Set(users.map(({ email }) => email)).size, 60);
  for (const result of issued) {
    const user = result.ok && users.find(({ id }) => id === result.user.user_id);
    assertEquals(user && user.email, result.ok && result.user.email);
  }
  const tokens = await valuesOf<MagicToken>(store.kv, "magic_tokens");
  assertEquals(new Set(tokens.map(({ id }) => id)).size, 120);
  assertEquals((await createFixture(store.kv).auth.stats()).users, 60);
});

Deno.test("two processes with 100 requests each issue three links to one address", async () => {
  await using store = await tempKv();
  const issued = await inTwoProcesses<IssuedLink>(store.path, "issue", "ada@example.org", "100");
  assertEquals(issued.length, 200);
  assertEquals(issued.filter(({ ok }) => ok).length, 3);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
});

interface Printed {
  token: string;
  /** Present once the sign-in is acknowledged. */
  sessionId?: string;
}

/**
 * Signs people in, kills the process after a number of lines, and returns everything it printed.
 */
async function signInUntilKilled(path: string, prefix: string, enough: number): Promise<Printed[]> {
  await using child = await spawnChild(CHILD, path, "sign-in", prefix);
  await child.go();
  const printed: Printed[] = [];
  for (let line; (line = await child.next<Printed>()) !== undefined;) {
    printed.push(line);
    if (printed.length === enough) child.kill();
  }
  return printed;
}

Deno.test("SIGKILL during sign-ins loses no acknowledged session and makes no used token valid again", async () => {
  await using store = await tempKv();
  const printed: Printed[] = [];
  for (const [prefix, enough] of [["a", 40], ["b", 91], ["c", 137]] as const) {
    printed.push(...await signInUntilKilled(store.path, prefix, enough));
  }
  const acknowledged = printed.filter(({ sessionId }) => sessionId !== undefined);
  const done = new Set(acknowledged.map(({ token }) => token));
  const open = printed.filter(({ token }) => !done.has(token));
  assert(acknowledged.length > 100, `${acknowledged.length}`);

  const { auth, session } = createFixture(store.kv);
  for (const { token, sessionId } of acknowledged) {
    assert(await session(sessionId!), "an acknowledged session was lost");
    assertEquals(await auth.verify(token, "site"), null, "a used token works again");
  }

  // Each interrupted commit took effect entirely or not at all.
  const tokens = await valuesOf<MagicToken>(store.kv, "magic_tokens");
  const used = tokens.filter((token) => token.used === 1);
  assertEquals((await valuesOf(store.kv, "sessions")).length, used.length);
  assert(used.length >= acknowledged.length);
  assertEquals((await valuesOf(store.kv, "users")).length, tokens.length);
  assertEquals((await auth.stats()).users, tokens.length);

  // An unused link still signs in, once.
  let late = 0;
  for (const { token } of open) if (await auth.verify(token, "site")) late++;
  for (const { token } of open) assertEquals(await auth.verify(token, "site"), null);
  assertEquals((await valuesOf(store.kv, "sessions")).length, used.length + late);
});
