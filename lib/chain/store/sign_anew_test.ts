import { assertEquals, assertRejects } from "@std/assert";
import { tempKv } from "../../kv/testing/temp_kv.ts";
import { generatePrivateJwk, type SigningKey, SigningKeyError } from "../mod.ts";
import { createChains } from "./mod.ts";
import { signAnew } from "./sign_anew.ts";
import { openSigningKey, withdrawKey } from "./signing_key.ts";
import { HASH, PUBLISHER, readAll, stageOf, verifyStored } from "./testing/stage.ts";

const OTHER = "d".repeat(64);
const clock = () => Date.UTC(2026, 5, 1);

async function codeOf(chains: Parameters<typeof verifyStored>[0]): Promise<string> {
  const result = await verifyStored(chains);
  return result.ok ? "ok" : result.code;
}

Deno.test("after a disclosed key is withdrawn, chains verify by the new one alone", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains: before } = stageOf(kv);
  for (const hash of [HASH, OTHER]) await before.start(hash);
  const old = (await before.head(HASH))!;

  const signingKey = await generatePrivateJwk();
  const after = createChains({ kv, clock, publisher: PUBLISHER, signingKey });
  const key: SigningKey = await openSigningKey(kv, signingKey);
  assertEquals(await withdrawKey(kv, old.kid), true);
  assertEquals(await codeOf(after), "unknown_key");
  assertEquals(await signAnew({ kv, clock, publisher: PUBLISHER, key }), 2);
  const head = (await after.head(HASH))!;
  assertEquals([head.size, head.tip, head.kid], [old.size, old.tip, key.kid]);
  assertEquals(await codeOf(after), "ok");
  assertEquals((await after.keys()).keys.map(({ kid }) => kid), [key.kid]);
  assertEquals(await signAnew({ kv, clock, publisher: PUBLISHER, key }), 0);
  assertEquals(await withdrawKey(kv, old.kid), false);

  // A process that still has it comes up.
  await assertRejects(() => stageOf(kv).chains.append(HASH, "record_verified"), SigningKeyError);
  await assertRejects(() => stageOf(kv).chains.keys(), SigningKeyError);
  assertEquals((await after.keys()).keys.map(({ kid }) => kid), [key.kid]);
});

Deno.test("chains move to another host with heads of that host", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains } = stageOf(kv);
  await chains.start(HASH);
  const key = await openSigningKey(kv, undefined);
  assertEquals(await signAnew({ kv, clock, publisher: "new.example", key }), 1);
  assertEquals((await chains.head(HASH))!.origin, `new.example/${HASH}`);
  assertEquals(await codeOf(chains), "bad_origin");
  assertEquals(await signAnew({ kv, clock, publisher: PUBLISHER, key }), 1);
  assertEquals(await codeOf(chains), "ok");
});

Deno.test("an event that is appended meanwhile stays, and its head is the one that is signed anew", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { chains } = stageOf(kv);
  await chains.start(HASH);
  const key = await openSigningKey(kv, undefined);
  const get = kv.get.bind(kv);
  let reads = 0;
  kv.get = (async (place: Deno.KvKey) => {
    const entry = await get(place);
    if (place[0] === "chains" && ++reads === 1) await chains.append(HASH, "record_verified");
    return entry;
  }) as typeof kv.get;
  assertEquals(await signAnew({ kv, clock, publisher: "new.example", key }), 1);
  const head = (await chains.head(HASH))!;
  assertEquals([head.size, head.origin], [2, `new.example/${HASH}`]);
  assertEquals((await readAll(chains)).map(({ seq }) => seq), [0, 1]);
});
