import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import {
  generatePrivateJwk,
  type Head,
  headOrigin,
  importSigningKey,
  keySet,
  type LinkedEvent,
  signHead,
} from "../../../packages/proof/mod.ts";
import { createTestChains, makeChain, PUBLISHER, range } from "./testing/fixtures.ts";
import { resignHeads } from "./append.ts";
import { createCheckJob, type InvalidChain } from "./check_all.ts";
import { createChains, withdrawKey } from "./mod.ts";

const hashOf = (digit: number) => digit.toString(16).repeat(64);

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  const { chains } = createTestChains(kv);
  const reported: (InvalidChain & { count: number })[] = [];
  const job = createCheckJob({
    kv,
    publisher: PUBLISHER,
    keys: chains.keys,
    report: (chain, count) => Promise.resolve(void reported.push({ ...chain, count })),
  });
  const saved: unknown[] = [];
  return {
    kv,
    chains,
    reported,
    saved,
    /** Starts chains of several events. */
    async add(digits: number[], length = 3) {
      for (const digit of digits) {
        await chains.start(hashOf(digit));
        for (let seq = 1; seq < length; seq++) {
          await chains.append(hashOf(digit), "record_verified");
        }
      }
    },
    /** Runs the job from a cursor; `onSave` may abort it. */
    async run(
      cursor: unknown = null,
      onSave?: (abort: AbortController) => void,
      part?: number,
    ) {
      const abort = new AbortController();
      const save = (cursor: unknown) => {
        saved.push(structuredClone(cursor));
        onSave?.(abort);
        return Promise.resolve();
      };
      return await job.run({
        cursor,
        signal: abort.signal,
        save,
        ...part === undefined ? {} : { part },
      });
    },
    /** Changes an event in the store. */
    async tamper(digit: number, seq: number, change: Partial<LinkedEvent>) {
      const key = ["chain_events", hashOf(digit), seq];
      const { value } = await kv.get<LinkedEvent>(key);
      await kv.set(key, { ...value, ...change });
    },
    async changeHead(digit: number, change: (head: Head) => Partial<Head>) {
      const key = ["chains", hashOf(digit)];
      const { value } = await kv.get<Head>(key);
      await kv.set(key, { ...value!, ...change(value!) });
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("valid chains, including those signed with earlier keys, are counted and not reported", async () => {
  using fixture = await setup();
  const { add, run, reported, kv } = fixture;
  await add([1, 2]);
  const later = createChains({
    kv,
    clock: Date.now,
    publisher: PUBLISHER,
    signingKey: await generatePrivateJwk(),
  });
  await later.start(hashOf(3));
  assertEquals(await run(), "3 checked, 0 not valid");
  assertEquals(reported, []);
});

Deno.test("every kind of damage is found and reported once, with its event", async () => {
  using fixture = await setup();
  const { add, run, reported, kv, tamper, changeHead, chains } = fixture;
  await add(range(0, 16));
  await tamper(0, 1, { kind: "document_viewed" });
  await tamper(1, 1, { prev: hashOf(9) });
  await kv.delete(["chain_events", hashOf(2), 1]);
  await kv.delete(["chain_events", hashOf(3), 2]);
  await changeHead(4, ({ signature }) => ({ signature: `AAAA${signature.slice(4)}` }));
  await changeHead(5, () => ({ tip: hashOf(9) }));
  await kv.delete(["chains", hashOf(6)]);
  const [event] = (await makeChain(hashOf(7), 1)).slice(-1);
  await kv.set(["chain_events", hashOf(7), 3], { ...event, seq: 3 });
  // A record whose chain was removed, and the head of another chain.
  await kv.set(["contacts", "10".repeat(32)], {});
  await kv.set(["chains", hashOf(8)], (await chains.head(hashOf(9)))!);
  await tamper(10, 2, { seq: 5 });
  await tamper(11, 0, { status: "bad" } as unknown as Partial<LinkedEvent>);
  // A rewritten chain: every event is linked again, but nobody has signed the new tip.
  for (const rewritten of await makeChain(hashOf(12), 3)) {
    await kv.set(["chain_events", hashOf(12), rewritten.seq], rewritten);
  }
  assertEquals(await run(), "17 checked, 13 not valid");
  assertEquals(reported.map(({ hash, code, seq, count }) => [hash.slice(0, 2), code, seq, count]), [
    ["00", "bad_hash", 1, 1],
    ["10", "no_head", undefined, 2],
    ["11", "bad_prev", 1, 3],
    ["22", "bad_seq", 1, 4],
    ["33", "truncated", 2, 5],
    ["44", "bad_signature", undefined, 6],
    ["55", "bad_signature", undefined, 7],
    ["66", "no_head", undefined, 8],
    ["77", "unsigned", 3, 9],
    ["88", "bad_origin", undefined, 10],
    ["aa", "bad_seq", 2, 11],
    ["bb", "bad_event", 0, 12],
    ["cc", "bad_tip", 2, 13],
  ]);
});

Deno.test("heads of a withdrawn key are reported until they are signed again", async () => {
  using fixture = await setup();
  const { add, run, reported, kv, chains } = fixture;
  await add([1]);
  await withdrawKey(kv, await chains.kid());
  const key = await importSigningKey(await generatePrivateJwk());
  const { keys } = keySet([key]);
  const job = createCheckJob({
    kv,
    publisher: PUBLISHER,
    keys: () => Promise.resolve({ keys }),
    report: (chain, count) => Promise.resolve(void reported.push({ ...chain, count })),
  });
  const context = { cursor: null, signal: new AbortController().signal, save: async () => {} };
  await job.run(context);
  assertEquals(reported, [{ hash: hashOf(1), code: "unknown_key", count: 1 }]);
  await resignHeads({ kv, clock: Date.now, publisher: PUBLISHER, key });
  assertEquals(await job.run(context), "1 checked, 0 not valid");
  assertEquals(await run(), "1 checked, 1 not valid");
});

Deno.test("a run that is stopped continues after its last chain, with its counts", async () => {
  using fixture = await setup();
  const { add, run, reported, saved, tamper } = fixture;
  await add([1, 2, 3]);
  await tamper(1, 0, { at: "2026-01-01T00:00:00.000Z" });
  await tamper(3, 0, { at: "2026-01-01T00:00:00.000Z" });
  assertEquals(await run(null, (abort) => abort.abort()), "1 checked, 1 not valid so far");
  assertEquals(await run(saved.at(-1)), "3 checked, 2 not valid");
  assertEquals(reported.map(({ hash, count }) => [hash[0], count]), [["1", 1], ["3", 2]]);
});

Deno.test("a run that is stopped within a long chain continues at its next event", async () => {
  using fixture = await setup();
  const { kv, run, reported, saved, tamper } = fixture;
  const events = await makeChain(hashOf(1), 1_250);
  for (const event of events) await kv.set(["chain_events", hashOf(1), event.seq], event);
  const key = await importSigningKey(await generatePrivateJwk());
  await kv.set(["chain_keys", key.kid], key.publicJwk);
  const { hash: tip, at } = events.at(-1)!;
  const origin = headOrigin(PUBLISHER, hashOf(1));
  const head = await signHead({ origin, size: events.length, tip, at }, key);
  await kv.set(["chains", hashOf(1)], head);

  const reads: number[] = [];
  const list = kv.list.bind(kv);
  kv.list = ((selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    if ("start" in selector && "end" in selector && selector.start.length === 3) {
      reads.push(Number(selector.end.at(-1)) - Number(selector.start.at(-1)));
    }
    return list(selector, options);
  }) as typeof kv.list;
  assertEquals(await run(null, (abort) => abort.abort()), "0 checked, 0 not valid so far");
  assertEquals([reads.length, Math.max(...reads)], [10, 100]);
  const { start } = saved.at(-1) as { start: { seq: number; prev: string } };
  assertEquals(start, { seq: 1_000, prev: events[999].hash });

  reads.length = 0;
  assertEquals(await run(saved.at(-1)), "1 checked, 0 not valid");
  assertEquals(reads, [100, 100, 50]);
  await tamper(1, 1_100, { kind: "k2_delivered" });
  await tamper(1, 1, { kind: "k2_delivered" });
  await run(saved[0]);
  assertEquals(reported.map(({ code, seq }) => [code, seq]), [["bad_hash", 1_100]]);
  assert(saved.length < 6);
});

Deno.test("an event that is appended while its chain is checked is not reported", async () => {
  using fixture = await setup();
  const { add, run, kv, chains } = fixture;
  await add([1]);
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (async (keys: Deno.KvKey[]) => {
    await chains.append(hashOf(1), "email_confirmed");
    return await getMany(keys);
  }) as typeof kv.getMany;
  assertEquals(await run(), "1 checked, 0 not valid");
});

Deno.test("each part checks the chains whose hashes begin with its digit, after the cursor", async () => {
  using fixture = await setup();
  const { add, run, reported, tamper } = fixture;
  await add(range(0, 16));
  await tamper(10, 0, { at: "2026-01-01T00:00:00.000Z" });
  const summaries = [];
  for (const part of range(0, 16)) summaries.push(await run(null, undefined, part));
  const checked = range(0, 16).map((part) => `1 checked, ${part === 10 ? 1 : 0} not valid`);
  assertEquals(summaries, checked);
  assertEquals(reported.map(({ hash }) => hash[0]), ["a"]);
  const after = { hash: hashOf(3), start: null, checked: 7, invalid: 0 };
  assertEquals(await run(after, undefined, 3), "7 checked, 0 not valid");
});

Deno.test("1,000 chains are read with a few lists, not one by one", async () => {
  using fixture = await setup();
  const { kv, run } = fixture;
  const key = await importSigningKey(await generatePrivateJwk());
  await kv.set(["chain_keys", key.kid], key.publicJwk);
  for (const i of range(0, 1_000)) {
    const hash = i.toString(16).padStart(64, "0");
    const [event] = await makeChain(hash, 1);
    const statement = { origin: headOrigin(PUBLISHER, hash), size: 1, tip: event.hash };
    await kv.atomic().set(["chain_events", hash, 0], event)
      .set(["chains", hash], await signHead({ ...statement, at: event.at }, key)).commit();
  }
  let reads = 0;
  const { list, get, getMany } = kv;
  const counting =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) => (...args: Args) => {
      reads++;
      return read.apply(kv, args);
    };
  Object.assign(kv, { list: counting(list), get: counting(get), getMany: counting(getMany) });
  assertEquals(await run(), "1000 checked, 0 not valid");
  assert(reads < 10, `${reads} reads`);
});
