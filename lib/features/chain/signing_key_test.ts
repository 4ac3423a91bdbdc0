import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { tempKv, valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import {
  generatePrivateJwk,
  SigningKeyError,
  thumbprint,
  verifyHead,
} from "../../../packages/proof/mod.ts";
import { createTestChains, HASH, PUBLISHER, readAll, verifyStored } from "./testing/fixtures.ts";
import { type Chains, createChains, openSigningKey, resignHeads, withdrawKey } from "./mod.ts";

const OTHER = "d".repeat(64);
const clock = () => Date.UTC(2026, 5, 1);

async function verifyCode(chains: Chains): Promise<string> {
  const result = await verifyStored(chains);
  return result.ok ? "ok" : result.code;
}

Deno.test("after a disclosed key is withdrawn, chains verify with the new key only", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains: before } = createTestChains(kv);
  for (const hash of [HASH, OTHER]) await before.start(hash);
  const old = (await before.head(HASH))!;

  const signingKey = await generatePrivateJwk();
  const after = createChains({ kv, clock, publisher: PUBLISHER, signingKey });
  const key = await openSigningKey(kv, signingKey);
  assertEquals(await withdrawKey(kv, old.kid), true);
  assertEquals(await verifyCode(after), "unknown_key");
  assertEquals(await resignHeads({ kv, clock, publisher: PUBLISHER, key }), 2);
  const head = (await after.head(HASH))!;
  assertEquals([head.size, head.tip, head.kid], [old.size, old.tip, key.kid]);
  assertEquals(await verifyCode(after), "ok");
  assertEquals((await after.keys()).keys.map(({ kid }) => kid), [key.kid]);
  assertEquals(await resignHeads({ kv, clock, publisher: PUBLISHER, key }), 0);
  assertEquals(await withdrawKey(kv, old.kid), false);

  // A process that still has the old key is started.
  const { chains: stale } = createTestChains(kv);
  await assertRejects(() => stale.append(HASH, "record_verified"), SigningKeyError);
  await assertRejects(() => stale.keys(), SigningKeyError);
  assertEquals((await after.keys()).keys.map(({ kid }) => kid), [key.kid]);
});

Deno.test("resignHeads() gives chains the origin of the new host", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains } = createTestChains(kv);
  await chains.start(HASH);
  const key = await openSigningKey(kv, undefined);
  assertEquals(await resignHeads({ kv, clock, publisher: "new.example", key }), 1);
  assertEquals((await chains.head(HASH))!.origin, `new.example/${HASH}`);
  assertEquals(await verifyCode(chains), "bad_origin");
  assertEquals(await resignHeads({ kv, clock, publisher: PUBLISHER, key }), 1);
  assertEquals(await verifyCode(chains), "ok");
});

Deno.test("resignHeads() keeps an event that is appended at the same time, and signs its head", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains } = createTestChains(kv);
  await chains.start(HASH);
  const key = await openSigningKey(kv, undefined);
  const get = kv.get.bind(kv);
  let reads = 0;
  kv.get = (async (kvKey: Deno.KvKey) => {
    const entry = await get(kvKey);
    if (kvKey[0] === "chains" && ++reads === 1) await chains.append(HASH, "record_verified");
    return entry;
  }) as typeof kv.get;
  assertEquals(await resignHeads({ kv, clock, publisher: "new.example", key }), 1);
  const head = (await chains.head(HASH))!;
  assertEquals([head.size, head.origin], [2, `new.example/${HASH}`]);
  assertEquals((await readAll(chains)).map(({ seq }) => seq), [0, 1]);
});

Deno.test("after a change of key, new heads have the new key and old heads still verify", async () => {
  await using store = await tempKv();
  const [first, second] = [await generatePrivateJwk(), await generatePrivateJwk()];
  const open = (signingKey: typeof first) =>
    createChains({ kv: store.kv, clock: Date.now, publisher: PUBLISHER, signingKey });
  const before = (await open(first).start(HASH))!.head;
  const chains = open(second);
  const { head } = (await chains.append(HASH, "email_confirmed"))!;
  assertEquals([before.kid, head.kid], [await thumbprint(first), await thumbprint(second)]);
  assertEquals(await chains.kid(), head.kid);
  const { keys } = await chains.keys();
  assertEquals(keys.map(({ kid }) => kid).sort(), [before.kid, head.kid].sort());
  assertEquals(Object.keys(keys[0]).sort(), ["crv", "kid", "kty", "use", "x"]);
  for (const signed of [before, head]) assert((await verifyHead(signed, keys)).ok);
  assert((await verifyStored(chains)).ok);
  for (const key of [first, second]) {
    const stored = Deno.inspect(await valuesOf(store.kv), { depth: 20, strAbbreviateSize: 1e6 });
    assert(!stored.includes(key.d), "a configured key is stored");
  }
});

Deno.test("without a configured key, one is generated once, when it is first needed", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  assertEquals(await chains.head(HASH), null);
  assertEquals(await valuesOf(store.kv), []);
  const { keys } = await chains.keys();
  assertEquals(keys.length, 1);
  assertEquals(await createTestChains(store.kv).chains.keys(), { keys });
  await using other = await tempKv();
  const { keys: otherKeys } = await createTestChains(other.kv).chains.keys();
  assertNotEquals(otherKeys[0].kid, keys[0].kid);
});

Deno.test("opening the key is retried after the store has failed", async () => {
  await using store = await tempKv();
  let broken = true;
  const { kv } = store;
  const get = kv.get.bind(kv);
  kv.get = (...args) => broken ? Promise.reject(new Error("gone")) : get(...args);
  const { chains } = createTestChains(kv);
  await assertRejects(() => chains.keys(), Error, "gone");
  broken = false;
  assertEquals((await chains.keys()).keys.length, 1);
});
