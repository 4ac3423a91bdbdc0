import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { tempKv, valuesOf } from "../../kv/testing/temp_kv.ts";
import { generatePrivateJwk, thumbprint, verifyHead } from "../mod.ts";
import { ChainExistsError, createChains } from "./mod.ts";
import { HASH, PUBLISHER, readAll, stageOf, verifyStored } from "./testing/stage.ts";

const OTHER = "d".repeat(64);
const seqs = (events: { seq: number }[]) => events.map(({ seq }) => seq);

Deno.test("a chain begins with hash_generated and grows by one event at a time, verified all along", async () => {
  await using store = await tempKv();
  const { chains, clock } = stageOf(store.kv);
  const begun = (await chains.start(HASH))!;
  assertEquals(begun.hash, HASH);
  assertEquals(begun.events.map(({ seq, kind, at, prev }) => ({ seq, kind, at, prev })), [
    { seq: 0, kind: "hash_generated", at: "2026-01-15T09:30:00.000Z", prev: HASH },
  ]);
  assertEquals(begun.head.origin, `${PUBLISHER}/${HASH}`);
  clock.now += 61_000;
  const { event, head } = (await chains.append(HASH, "email_confirmed"))!;
  assertEquals([event.seq, event.kind, event.at, event.prev], [
    1,
    "email_confirmed",
    "2026-01-15T09:31:01.000Z",
    begun.events[0].hash,
  ]);
  assertEquals([head.size, head.tip, head.at], [2, event.hash, event.at]);
  assertEquals(await chains.head(HASH), head);
  assertEquals(await verifyStored(chains), {
    ok: true,
    size: 2,
    tip: event.hash,
    signedSize: 2,
    head,
  });
});

Deno.test("a record has one chain, and there is none before it was begun", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  assertEquals(await chains.append(HASH, "email_confirmed"), null);
  assertEquals(await chains.page(HASH), null);
  assertEquals(await chains.head(HASH), null);
  await chains.start(HASH);
  const again = await assertRejects(() => chains.start(HASH), ChainExistsError);
  assertEquals(again.code, "chain_exists");
  assertEquals(await chains.page(OTHER), null);
  assertEquals(seqs(await readAll(chains)), [0]);
  for (const malformed of ["", HASH.toUpperCase(), HASH + "0", "c".repeat(3_000)]) {
    await assertRejects(() => chains.start(malformed));
    assertEquals(await chains.head(malformed), null);
    assertEquals(await chains.page(malformed), null);
  }
});

Deno.test("no event is earlier than the one before it, though the clock steps back", async () => {
  await using store = await tempKv();
  const { chains, clock } = stageOf(store.kv);
  await chains.start(HASH);
  clock.now -= 3_600_000;
  await chains.append(HASH, "email_confirmed");
  clock.now += 3_600_001;
  await chains.append(HASH, "record_verified");
  assertEquals((await readAll(chains)).map(({ at }) => at), [
    "2026-01-15T09:30:00.000Z",
    "2026-01-15T09:30:00.000Z",
    "2026-01-15T09:30:00.001Z",
  ]);
  assert((await verifyStored(chains)).ok);
});

Deno.test("what is written together with an event takes effect with it or not at all", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  const mark: Deno.KvKey = ["mark"];
  const count = async () => (await store.kv.get<number>(mark)).value;
  await chains.start(HASH, (commit) => {
    commit.set(mark, 1);
  });
  assertEquals(await count(), 1);

  const refuse = async (commit: Deno.AtomicOperation) => {
    commit.set(mark, 99);
    return await Promise.resolve(false);
  };
  assertEquals(await chains.append(HASH, "email_confirmed", refuse), null);
  assertEquals(await chains.start(OTHER, refuse), null);
  const fail = () => {
    throw new Error("mine");
  };
  await assertRejects(() => chains.append(HASH, "email_confirmed", fail), Error, "mine");
  assertEquals([await count(), (await readAll(chains)).length], [1, 1]);
  assertEquals(await chains.head(OTHER), null);

  // A check that fails makes the whole be tried again, from what is there then.
  let tries = 0;
  await chains.append(HASH, "email_confirmed", async (commit) => {
    const entry = await store.kv.get<number>(mark);
    if (tries++ === 0) await store.kv.set(mark, 7);
    commit.check(entry).set(mark, entry.value! + 1);
  });
  assertEquals([tries, await count()], [2, 8]);
  assertEquals(seqs(await readAll(chains)), [0, 1]);
});

Deno.test("pages go backward and forward, ascending, and never beyond the head", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  await chains.start(HASH);
  for (let i = 1; i < 120; i++) await chains.append(HASH, "record_verified");
  await chains.start(OTHER); // a neighbour in the store is not read along
  const page = async (query?: Parameters<typeof chains.page>[1]) =>
    seqs((await chains.page(HASH, query))!.events);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  assertEquals(await page(), range(100, 120));
  assertEquals(await page({ limit: 5 }), range(115, 120));
  assertEquals(await page({ limit: 1000 }), range(20, 120));
  assertEquals(await page({ limit: 0 }), [119]);
  assertEquals(await page({ before: 25 }), range(5, 25));
  assertEquals(await page({ before: 5 }), range(0, 5));
  assertEquals(await page({ before: 0 }), []);
  assertEquals(await page({ before: 1000, limit: 2 }), [118, 119]);
  assertEquals(await page({ after: 118 }), [119]);
  assertEquals(await page({ after: 119 }), []);
  assertEquals(await page({ after: Number.MAX_SAFE_INTEGER }), []);
  assertEquals(await page({ after: 9, limit: 3 }), [10, 11, 12]);
  assertEquals(await page({ after: -1, limit: 1000 }), range(0, 100));
  assertEquals(seqs((await chains.page(OTHER))!.events), [0]);
});

Deno.test("a new key signs on, and what the old one signed still verifies", async () => {
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
    assert(!JSON.stringify(await valuesOf(store.kv)).includes(key.d), "a given key is not kept");
  }
});

Deno.test("without a given key one is made once, and nothing is written before it is needed", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  assertEquals(await chains.head(HASH), null);
  assertEquals(await valuesOf(store.kv), []);
  const { keys } = await chains.keys();
  assertEquals(keys.length, 1);
  assertEquals(await stageOf(store.kv).chains.keys(), { keys });
  await using other = await tempKv();
  assertNotEquals((await stageOf(other.kv).chains.keys()).keys[0].kid, keys[0].kid);
});

Deno.test("a store that could not answer for the key is asked again", async () => {
  await using store = await tempKv();
  let broken = true;
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name === "get" && broken) return () => Promise.reject(new Error("gone"));
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { chains } = stageOf(kv);
  await assertRejects(() => chains.keys(), Error, "gone");
  broken = false;
  assertEquals((await chains.keys()).keys.length, 1);
});
