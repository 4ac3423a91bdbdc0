import { assert, assertEquals, assertMatch } from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import { checkStore, findKey, type RowProblem } from "../lib/features/store/check.ts";
import { observedSite } from "../tools/observe/store.ts";

Deno.test("store:check finds nothing in a store with rows of every feature, and each row that is damaged afterwards", async () => {
  await using observed = await observedSite();
  const { kv, clock } = observed;
  const options = { kv, path: null, tables: TABLES, clock: () => clock.now };
  const check = async () => {
    const problems: RowProblem[] = [];
    const rows = await checkStore(options, (problem) => problems.push(problem));
    assert(rows > 500, `${rows}`);
    return problems;
  };
  assertEquals(await check(), []);

  const [users] = await Array.fromAsync(kv.list<object>({ prefix: ["users"] }, { limit: 1 }));
  await kv.set(users.key, { ...users.value, unknown: 1 });
  const index = "record_keys_by_contact";
  const [listed] = await Array.fromAsync(kv.list({ prefix: [index] }, { limit: 1 }));
  await kv.delete(listed.key);
  await kv.set([...listed.key.slice(0, -1), "0".repeat(64)], true);
  await kv.set(["unheard_of"], 1);
  const problems = await check();
  assertEquals(problems.map(({ table, text }) => [table, text]), [
    ["record_keys", "not in its index record_keys_by_contact"],
    ["record_keys_by_contact", "leads to no row"],
    ["unheard_of", "no table declares it"],
    ["users", "users: unknown column"],
  ]);
  const [{ digest, key }] = problems;
  assertMatch(digest, /^[0-9a-f]{16}$/);
  assertEquals(await findKey(options, digest), key);
});
