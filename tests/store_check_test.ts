import { assert, assertEquals, assertMatch } from "@std/assert";
import { TABLES } from "../lib/app/features.ts";
import { checkStore, findKey, type RowProblem } from "../lib/features/store/check.ts";
import { utf8 } from "../lib/base/encoding.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { observedSite } from "../tools/observe/store.ts";

Deno.test("store:check finds nothing in a store with rows of every feature, and each row that is damaged afterwards", async () => {
  await using observed = await observedSite();
  const { kv, clock } = observed;
  const secretOf = (letter: string) => createSecrets({ kv, given: [utf8(letter.repeat(32))] });
  const secrets = secretOf("a");
  const options = { kv, path: null, tables: TABLES, secrets, clock: () => clock.now };
  const check = async () => {
    const problems: RowProblem[] = [];
    const rows = await checkStore(options, (problem) => problems.push(problem));
    assert(rows > 500, `${rows}`);
    return problems;
  };
  assertEquals(await check(), []);

  const [users] = await Array.fromAsync(kv.list<object>({ prefix: ["users"] }, { limit: 1 }));
  await kv.set(users.key, { ...users.value, unknown: 1 });
  // Most of its indexes cannot be computed any more.
  const [document] = await Array.fromAsync(
    kv.list<object>({ prefix: ["documents"] }, { limit: 1 }),
  );
  await kv.set(document.key, { ...document.value, versions: undefined });
  const index = "record_keys_by_contact";
  const [listed] = await Array.fromAsync(kv.list({ prefix: [index] }, { limit: 1 }));
  await kv.delete(listed.key);
  await kv.set([...listed.key.slice(0, -1), "0".repeat(64)], true);
  await kv.set(["unheard_of"], 1);
  const problems = await check();
  assertEquals(problems.map(({ table, text }) => [table, text]), [
    ["documents", "documents, versions: Invalid input: expected array, received undefined"],
    ["record_keys", "not in its index record_keys_by_contact"],
    ["record_keys_by_contact", "leads to no row"],
    ["unheard_of", "no table declares it"],
    ["users", "users: unknown column"],
  ]);
  const [, { digest, key }] = problems;
  assertMatch(digest, /^[0-9a-f]{16}$/);
  assertEquals(await findKey(options, digest), key);
  const given = ["b", "a"].map((letter) => utf8(letter.repeat(32)));
  const rotated = { ...options, secrets: createSecrets({ kv, given }) };
  assertEquals(await findKey(rotated, digest), key);
  // Nobody without the secret can find out which address a line is about.
  assertEquals(await findKey({ ...options, secrets: secretOf("b") }, digest), null);
});
