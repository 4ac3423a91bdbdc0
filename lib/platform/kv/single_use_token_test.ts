import { assert, assertEquals, assertMatch } from "@std/assert";
import { openKv } from "./open.ts";
import { createSingleUseTokens } from "./single_use_token.ts";
import { valuesOf } from "./testing/temp_kv.ts";

const LIFETIME_MS = 900_000;
const NOW = Date.now();
const tokens = createSingleUseTokens<{ user_id: number }>({
  prefix: "links",
  lifetimeMs: LIFETIME_MS,
});

async function create(kv: Deno.Kv): Promise<string> {
  const commit = kv.atomic();
  const { token } = tokens.create(commit, { user_id: 7 }, NOW);
  await commit.commit();
  return token;
}

Deno.test("a token has 256 bits, and only its SHA-256 is stored", async () => {
  using kv = await openKv(":memory:");
  const [one, other] = [await create(kv), await create(kv)];
  assertMatch(one, /^[\w-]{43}$/);
  assert(one !== other);
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  assert(!JSON.stringify(entries).includes(one));
  for (const { key, value } of entries) {
    const { token, ...row } = value as { token: string };
    assertEquals(key, tokens.key(token));
    const expires_at = new Date(NOW + LIFETIME_MS).toISOString();
    assertEquals(row, { user_id: 7, expires_at, used: 0 });
  }
});

const STATES: [title: string, after: number, used: boolean, state: string][] = [
  ["new", 0, false, "open"],
  ["one millisecond before its expiry", LIFETIME_MS - 1, false, "open"],
  ["at its expiry", LIFETIME_MS, false, "expired"],
  ["used", 0, true, "used"],
  ["used, at its expiry", LIFETIME_MS, true, "expired"],
];

for (const [title, after, used, state] of STATES) {
  Deno.test(`find: a token that is ${title} is ${state}`, async () => {
    using kv = await openKv(":memory:");
    const token = await create(kv);
    if (used) {
      const { entry } = await tokens.find(kv, token, NOW);
      const commit = kv.atomic();
      tokens.use(commit, entry!, NOW);
      assert((await commit.commit()).ok);
    }
    const found = await tokens.find(kv, token, NOW + after);
    assertEquals(found.state, state);
    assertEquals([found.entry?.value.user_id, found.entry?.value.used], [7, used ? 1 : 0]);
  });
}

Deno.test("find: unknown and malformed tokens are unknown", async () => {
  using kv = await openKv(":memory:");
  const token = await create(kv);
  const others = ["", "a", token.slice(1), `${token}a`, `${token}=`, "A".repeat(43), "../links/1"];
  for (const other of others) assertEquals(await tokens.find(kv, other, NOW), { state: "unknown" });
});

Deno.test("only one of many concurrent commits that use a token succeeds", async () => {
  using kv = await openKv(":memory:");
  const token = await create(kv);
  const results = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    const found = await tokens.find(kv, token, NOW);
    if (found.state !== "open") return false;
    const commit = kv.atomic().set(["uses", i], true);
    tokens.use(commit, found.entry, NOW);
    return (await commit.commit()).ok;
  }));
  assertEquals(results.filter((ok) => ok).length, 1);
  assertEquals((await valuesOf(kv, "uses")).length, 1);
});
