import { assertEquals, assertRejects } from "@std/assert";
import { openKv, transact } from "../kv/mod.ts";
import { deleteUser } from "./delete_user.ts";
import { readStats } from "./stats.ts";
import { getUser, getUserByEmail, touchLogin, upsertUser, type User, userKey } from "./users.ts";

const NOW = Date.parse("2026-03-01T09:30:00.000Z");

const signUp = (kv: Deno.Kv, email: string, now = NOW) =>
  transact(async () => {
    const commit = kv.atomic();
    return { result: await upsertUser(kv, commit, email, now), commit };
  });

Deno.test("a new address becomes a user, a known one is found as it was", async () => {
  using kv = await openKv(":memory:");
  const ada: User = {
    id: 1,
    email: "ada@example.org",
    created_at: "2026-03-01T09:30:00.000Z",
    last_login: null,
    source: "signup",
  };
  assertEquals(await signUp(kv, ada.email), { user_id: 1, email: ada.email });
  assertEquals(await signUp(kv, "eve@example.org", NOW + 1), {
    user_id: 2,
    email: "eve@example.org",
  });
  assertEquals(await signUp(kv, ada.email, NOW + 2), { user_id: 1, email: ada.email });
  assertEquals(await getUser(kv, 1), ada);
  assertEquals(await getUserByEmail(kv, ada.email), ada);
  assertEquals([await getUser(kv, 3), await getUserByEmail(kv, "bob@example.org")], [null, null]);
  assertEquals(await readStats(kv), {
    users: 2,
    last_sign_up: "2026-03-01T09:30:00.001Z",
    sessions_last_write: null,
  });
});

Deno.test("before the first user the counts are empty", async () => {
  using kv = await openKv(":memory:");
  assertEquals(await readStats(kv), { users: 0, last_sign_up: null, sessions_last_write: null });
});

Deno.test("a login changes its time and nothing else, and not a row that changed meanwhile", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "ada@example.org");
  const before = await kv.get<User>(userKey(1)) as Deno.KvEntry<User>;
  const touch = async (now: number) => {
    const commit = kv.atomic();
    touchLogin(commit, before, now);
    return (await commit.commit()).ok;
  };
  assertEquals(await touch(NOW + 1_000), true);
  const after = { ...before.value, last_login: "2026-03-01T09:30:01.000Z" };
  assertEquals(await getUser(kv, 1), after);
  assertEquals(await touch(NOW + 2_000), false);
  assertEquals(await getUser(kv, 1), after);
});

Deno.test("nothing is committed for a user who was deleted meanwhile", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "ada@example.org");
  const commit = kv.atomic();
  await upsertUser(kv, commit, "ada@example.org", NOW);
  await deleteUser(kv, "ada@example.org");
  assertEquals((await commit.commit()).ok, false);
});

Deno.test("a commit that fails counts nobody", async () => {
  using kv = await openKv(":memory:");
  const commit = kv.atomic();
  await upsertUser(kv, commit, "ada@example.org", NOW);
  await signUp(kv, "eve@example.org");
  assertEquals((await commit.commit()).ok, false);
  assertEquals((await readStats(kv)).users, 1);
  assertEquals(await getUserByEmail(kv, "ada@example.org"), null);
  await assertRejects(() => upsertUser(kv, kv.atomic(), "a".repeat(3_000), NOW), TypeError);
});
