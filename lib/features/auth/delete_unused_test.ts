import { assertEquals } from "@std/assert";
import { dueRowsJobs } from "../../platform/jobs/mod.ts";
import { createIds, openKv } from "../../platform/kv/mod.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { createLinkIds, issueLink } from "./links.ts";
import { createToken } from "./magic_tokens.ts";
import { readStats } from "./stats.ts";
import { deleteUnused } from "./delete_unused.ts";
import {
  getUserByEmail,
  touchLogin,
  UNUSED_ACCOUNT_MS,
  upsertUser,
  type User,
  users,
} from "./users.ts";

async function addUsers(kv: Deno.Kv, emails: readonly string[], now: number): Promise<number[]> {
  const ids: number[] = [];
  const numbers = createIds(kv, ["users_last_id"]);
  for (const email of emails) {
    const commit = kv.atomic();
    ids.push((await upsertUser(kv, numbers, commit, email, now)).user_id);
    await commit.commit();
  }
  return ids;
}

/** Runs the job that deletes what is due, for accounts only. */
function runDue({ kv, clock }: { kv: Deno.Kv; clock: () => number }) {
  const deletes = { users: (entry: Deno.KvEntry<User>) => deleteUnused(kv, entry) };
  const [, job] = dueRowsJobs({ kv, clock, tables: [users], deletes });
  const { signal } = new AbortController();
  return job.run({ cursor: null, signal, save: () => Promise.resolve() });
}

const emailsOf = async (kv: Deno.Kv) =>
  (await valuesOf<User>(kv, "users")).map(({ email }) => email);

Deno.test("the job deletes accounts that nobody has signed in to for 30 days", async () => {
  using kv = await openKv(":memory:");
  let now = Date.parse("2026-11-22T12:00:00Z");
  const [, used, asked] = await addUsers(kv, ["unused@a.org", "used@a.org", "asked@a.org"], now);
  const commit = kv.atomic();
  touchLogin(commit, await users.get(kv, used) as Deno.KvEntry<User>, now);
  await commit.commit();
  await addUsers(kv, ["young@a.org"], now + 1);
  now += UNUSED_ACCOUNT_MS;
  const link = kv.atomic();
  await createToken(createIds(kv, ["magic_tokens_last_id"]), link, {
    user_id: asked,
    surface: "site",
    next: null,
  }, now);
  await link.commit();

  const run = () => runDue({ kv, clock: () => now });
  assertEquals(await run(), "1 deleted");
  assertEquals(await emailsOf(kv), ["used@a.org", "asked@a.org", "young@a.org"]);
  assertEquals(await getUserByEmail(kv, "unused@a.org"), null);
  assertEquals((await readStats(kv)).users, 3);
  now += 1;
  assertEquals(await run(), "1 deleted");
});

Deno.test("an account to which a link is created during its deletion stays, with a link that works", async () => {
  using kv = raceKv(await openKv(":memory:"));
  let now = Date.parse("2026-11-22T12:00:00Z");
  const [id] = await addUsers(kv, ["asked@a.org"], now);
  now += UNUSED_ACCOUNT_MS;
  const store = { kv, clock: () => now, ids: createLinkIds(kv) };
  kv.meanwhile("users", () => issueLink(store, { email: "asked@a.org", surface: "site" }));
  assertEquals(await runDue(store), "0 deleted");
  assertEquals((await getUserByEmail(kv, "asked@a.org"))?.id, id);
});
