import { z } from "zod";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  apart,
  createIds,
  defineTable,
  type Ids,
  openKv,
  transact,
  WITH_ACCOUNT,
} from "../../platform/kv/mod.ts";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { createUserDeletionJob, deleteUser } from "./delete_user.ts";
import { readStats } from "./stats.ts";
import { createFixture } from "./testing/fixture.ts";
import { authTables } from "./tables.ts";
import { getUser, getUserByEmail, touchLogin, upsertUser, type User, users } from "./users.ts";

const NOW = Date.parse("2026-03-01T09:30:00.000Z");

/** The data of another feature about users: a row that has the user as its key, and rows by index. */
const notes = defineTable({
  prefix: "notes",
  value: z.strictObject({ text: z.string() }),
  key: ["user"],
  owner: { user: "user" },
  lifetime: WITH_ACCOUNT,
  per: "user",
});
const badges = defineTable({
  prefix: "badges",
  value: z.strictObject({ id: z.string(), user: z.int() }),
  key: ["id"],
  indexes: { badges_by_user: ["user"] },
  owner: { user: "user" },
  lifetime: WITH_ACCOUNT,
  per: "badge",
});

const withSecrets = (kv: Deno.Kv) => ({
  kv,
  secrets: createSecrets({ kv, given: [new Uint8Array(32)] }),
  tables: [...authTables, notes, badges],
});

/** The ids without gaps, as if each of them were reserved alone. */
const idsOf = (kv: Deno.Kv): Ids => createIds(kv, ["users_last_id"], 1);

const signUp = (kv: Deno.Kv, email: string, now = NOW) =>
  transact(async () => {
    const commit = kv.atomic();
    return { result: await upsertUser(kv, idsOf(kv), commit, email, now), commit };
  });

Deno.test("upsertUser creates a user for a new address and returns the same one for a known address", async () => {
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

Deno.test("an empty store has no users and no times", async () => {
  using kv = await openKv(":memory:");
  assertEquals(await readStats(kv), { users: 0, last_sign_up: null, sessions_last_write: null });
});

Deno.test("touchLogin sets only last_login, and fails if the row has changed", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "ada@example.org");
  const before = await users.get(kv, 1) as Deno.KvEntry<User>;
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

Deno.test("a commit fails if its user was deleted in the meantime", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "ada@example.org");
  const commit = kv.atomic();
  await upsertUser(kv, idsOf(kv), commit, "ada@example.org", NOW);
  await deleteUser(withSecrets(kv), "ada@example.org");
  assertEquals((await commit.commit()).ok, false);
});

Deno.test("a failed commit does not count its user", async () => {
  using kv = await openKv(":memory:");
  const commit = kv.atomic();
  await upsertUser(kv, idsOf(kv), commit, "ada@example.org", NOW);
  await signUp(kv, "ada@example.org");
  assertEquals((await commit.commit()).ok, false);
  assertEquals((await readStats(kv)).users, 1);
  await assertRejects(
    () => upsertUser(kv, idsOf(kv), kv.atomic(), "a".repeat(3_000), NOW),
    TypeError,
  );
});

Deno.test("deleteUser removes everything of one user and nothing of others", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { auth, token, signIn, session } = createFixture(kv);
  const gone = await signIn("gone@example.org");
  const stays = await signIn("stays@example.org");
  const open = await token("gone@example.org");
  const commit = kv.atomic();
  for (const user of [1, 2]) {
    notes.put(commit, [user], { text: `of ${user}` });
    badges.set(commit, { id: `badge ${user}`, user });
  }
  await commit.commit();

  assertEquals(await deleteUser(withSecrets(kv), "gone@example.org"), true);
  assertEquals(await deleteUser(withSecrets(kv), "gone@example.org"), false);
  assertEquals(await session(gone), null);
  assertEquals(await auth.verify(open, "site"), null);
  assertEquals((await session(stays))?.email, "stays@example.org");
  assertEquals((await auth.stats()).users, 1);
  assertEquals((await notes.get(kv, 1)).value, null);
  assertEquals((await notes.get(kv, 2)).value, { text: "of 2" });
  assertEquals((await badges.list(kv, []).next()).value?.value, { id: "badge 2", user: 2 });
  for await (const { key, value } of kv.list({ prefix: [] })) {
    assert(!JSON.stringify([key, String(value)]).includes("gone@example.org"));
    assert((value as { email?: string })?.email !== "gone@example.org");
    assert((value as { user_id?: number })?.user_id !== 1);
  }
});

Deno.test("deleteUser deletes the user and the rows with the user's key in one commit, before all others", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "gone@example.org");
  const commit = kv.atomic();
  notes.put(commit, [1], { text: "of 1" });
  await commit.commit();
  const failing = { ...badges, deleteOf: () => Promise.reject(new Error("The process died.")) };
  const options = { ...withSecrets(kv), tables: [failing, ...authTables, notes] };
  await assertRejects(() => deleteUser(options, "gone@example.org"), Error, "died");
  assertEquals([await getUser(kv, 1), (await notes.get(kv, 1)).value], [null, null]);
});

Deno.test("a deletion that was interrupted is completed by another call, and by the job also for an address that has signed up again", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { signIn, session } = createFixture(kv);
  const left = await signIn("gone@example.org");
  const stays = await signIn("stays@example.org");
  const failing = { ...badges, deleteOf: () => Promise.reject(new Error("The process died.")) };
  const options = { ...withSecrets(kv), tables: [failing, ...authTables] };
  await assertRejects(() => deleteUser(options, "gone@example.org"), Error, "died");
  assert(await session(left));
  assertEquals(await deleteUser(withSecrets(kv), "gone@example.org"), true);
  assertEquals(await session(left), null);
  assert(await session(stays));
  assertEquals(await deleteUser(withSecrets(kv), "gone@example.org"), false);

  await assertRejects(() => deleteUser(options, "stays@example.org"), Error, "died");
  const back = await signIn("stays@example.org");
  const job = createUserDeletionJob(withSecrets(kv));
  const context = { cursor: null, signal: new AbortController().signal, save: async () => {} };
  assertEquals(await job.run(context), "1 completed");
  assertEquals([await session(stays), (await session(back))?.email], [null, "stays@example.org"]);
  assertEquals(await job.run(context), "0 completed");

  await assertRejects(() => deleteUser(options, "stays@example.org"), Error, "died");
  const third = await signIn("stays@example.org");
  assert(await session(back));
  assertEquals(await deleteUser(withSecrets(kv), "stays@example.org"), true);
  assertEquals([await session(back), await session(third)], [null, null]);
  assertEquals(await job.run(context), "0 completed");
});

Deno.test("a user whom two requests delete at the same time is counted once", async () => {
  using kv = await openKv(":memory:");
  await signUp(kv, "stays@example.org");
  await signUp(kv, "gone@example.org");
  const added: number[] = [];
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (async (keys: readonly Deno.KvKey[]) => {
    kv.getMany = getMany;
    await apart(
      "Another request deletes the user.",
      () => deleteUser(withSecrets(kv), "gone@example.org", (_, id) => added.push(id)),
    );
    return await getMany(keys);
  }) as typeof kv.getMany;
  assertEquals(
    await deleteUser(withSecrets(kv), "gone@example.org", (_, id) => added.push(id)),
    false,
  );
  assertEquals([added, (await readStats(kv)).users], [[2], 1]);
});

Deno.test("a sign-up after a deletion gets a new id", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { signIn } = createFixture(kv);
  await signIn("back@example.org");
  await deleteUser(withSecrets(kv), "back@example.org");
  await signIn("back@example.org");
  assertEquals((await getUserByEmail(kv, "back@example.org"))?.id, 2);
});
