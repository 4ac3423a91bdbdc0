import { assertEquals } from "@std/assert";
import { transact } from "../kv/mod.ts";
import { spawnChild } from "../kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../kv/testing/temp_kv.ts";
import type { MagicToken } from "./magic_tokens.ts";
import type { IssuedLink } from "./links.ts";
import type { SignIn } from "./mod.ts";
import { createFixture } from "./testing/fixture.ts";
import { upsertUser, type User } from "./users.ts";

const CHILD = import.meta.resolve("./testing/child.ts");
const indices = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Lets two processes do the same at the same time; what each said of it. */
async function inTwoProcesses<Result>(...args: string[]): Promise<Result[]> {
  await using one = await spawnChild(CHILD, ...args);
  await using other = await spawnChild(CHILD, ...args);
  await Promise.all([one.go(), other.go()]);
  const results = await Promise.all([one.next<Result[]>(), other.next<Result[]>()]);
  return results.flatMap((result) => result!);
}

Deno.test("200 clicks on one link at once make exactly one session", async () => {
  await using store = await tempKv();
  const { auth, session, token } = createFixture(store.kv);
  const given = await token("ada@example.org");
  const clicks = await Promise.all(indices(200).map(() => auth.verify(given, "site")));
  const signIns = clicks.filter((signIn) => signIn !== null);
  assertEquals(signIns.length, 1);
  assertEquals((await valuesOf(store.kv, "sessions")).length, 1);
  assertEquals(await session(signIns[0].sessionId), { user_id: 1, email: "ada@example.org" });
});

Deno.test("200 first sign-ins of one address at once make one user", async () => {
  await using store = await tempKv();
  const users = await Promise.all(
    indices(200).map(() =>
      transact(async () => {
        const commit = store.kv.atomic();
        return {
          result: await upsertUser(store.kv, commit, "ada@example.org", Date.now()),
          commit,
        };
      })
    ),
  );
  assertEquals(new Set(users.map(({ user_id }) => user_id)), new Set([1]));
  const { auth } = createFixture(store.kv);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
  assertEquals((await auth.stats()).users, 1);
});

Deno.test("200 requests for one new address at once make one user and three tokens", async () => {
  await using store = await tempKv();
  const { issue } = createFixture(store.kv);
  const issued = await Promise.all(indices(200).map(() => issue("ada@example.org")));
  assertEquals(issued.filter((result) => result === "sent").length, 3);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
  const ids = (await valuesOf<MagicToken>(store.kv, "magic_tokens")).map(({ id }) => id);
  assertEquals(ids.sort(), [1, 2, 3]);
  assertEquals((await valuesOf(store.kv, "magic_tokens_by_user", 1)).length, 3);
});

Deno.test("two processes, 100 clicks each: one link makes exactly one session", async () => {
  await using store = await tempKv();
  const { session, token } = createFixture(store.kv);
  const given = await token("ada@example.org");
  const clicks = await inTwoProcesses<SignIn | null>(store.path, "verify", given, "100");
  assertEquals(clicks.length, 200);
  const [signIn, ...others] = clicks.filter((click) => click !== null);
  assertEquals(others, []);
  assertEquals((await valuesOf(store.kv, "sessions")).length, 1);
  assertEquals((await session(signIn.sessionId))?.user_id, 1);
});

Deno.test("two processes sign the same 60 addresses up: 60 users, counted without gap or twin", async () => {
  await using store = await tempKv();
  const asked = await inTwoProcesses<IssuedLink>(store.path, "sign-up", "60", "new");
  assertEquals(asked.filter(({ ok }) => ok).length, 120);
  const users = await valuesOf<User>(store.kv, "users");
  assertEquals(users.map(({ id }) => id), indices(60).map((i) => i + 1));
  assertEquals(new Set(users.map(({ email }) => email)).size, 60);
  for (const result of asked) {
    const user = result.ok && users.find(({ id }) => id === result.user.user_id);
    assertEquals(user && user.email, result.ok && result.user.email);
  }
  const tokens = await valuesOf<MagicToken>(store.kv, "magic_tokens");
  const ids = tokens.map(({ id }) => id).sort((a, b) => a - b);
  assertEquals(ids, indices(120).map((i) => i + 1));
  assertEquals((await createFixture(store.kv).auth.stats()).users, 60);
});

Deno.test("two processes, 100 requests each: one address gets three links", async () => {
  await using store = await tempKv();
  const asked = await inTwoProcesses<IssuedLink>(store.path, "issue", "ada@example.org", "100");
  assertEquals(asked.length, 200);
  assertEquals(asked.filter(({ ok }) => ok).length, 3);
  assertEquals((await valuesOf(store.kv, "users")).length, 1);
});
