import { assert, assertEquals, assertRejects } from "@std/assert";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import { readEventCounts } from "./counts.ts";
import {
  createTestChains,
  HASH,
  PUBLISHER,
  range,
  readAll,
  verifyStored,
} from "./testing/fixtures.ts";

const OTHER = "d".repeat(64);
const seqs = (events: { seq: number }[]) => events.map(({ seq }) => seq);

Deno.test("a chain starts with hash_generated, and each append adds one event that verifies", async () => {
  await using store = await tempKv();
  const { chains, clock } = createTestChains(store.kv);
  const started = (await chains.start(HASH))!;
  assertEquals(started.hash, HASH);
  assertEquals(started.events.map(({ seq, kind, at, prev }) => ({ seq, kind, at, prev })), [
    { seq: 0, kind: "hash_generated", at: "2026-01-15T09:30:00.000Z", prev: HASH },
  ]);
  assertEquals(started.head.origin, `${PUBLISHER}/${HASH}`);
  clock.now += 61_000;
  const { event, head } = (await chains.append(HASH, "email_confirmed"))!;
  assertEquals([event.seq, event.kind, event.at, event.prev], [
    1,
    "email_confirmed",
    "2026-01-15T09:31:01.000Z",
    started.events[0].hash,
  ]);
  assertEquals([head.size, head.tip, head.at], [2, event.hash, event.at]);
  assertEquals(await chains.head(HASH), head);
  const tip = event.hash;
  assertEquals(await verifyStored(chains), { ok: true, size: 2, tip, signedSize: 2, head });
});

Deno.test("a record has no chain before start(), and start() fails for an existing chain", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  assertEquals(await chains.append(HASH, "email_confirmed"), null);
  assertEquals(await chains.page(HASH), null);
  assertEquals(await chains.head(HASH), null);
  await chains.start(HASH);
  await assertRejects(() => chains.start(HASH), Error, "already has a chain");
  assertEquals(await chains.page(OTHER), null);
  assertEquals(seqs(await readAll(chains)), [0]);
  for (const malformed of ["", HASH.toUpperCase(), HASH + "0", "c".repeat(3_000)]) {
    await assertRejects(() => chains.start(malformed));
    assertEquals(await chains.head(malformed), null);
    assertEquals(await chains.page(malformed), null);
  }
});

Deno.test("events are counted by kind over all chains", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await Promise.all([HASH, OTHER].map((hash) => chains.start(hash)));
  await chains.append(HASH, "record_verified");
  await chains.append(HASH, "record_verified", () => false);
  await assertRejects(() => chains.start(HASH));
  const { hash_generated, record_verified, email_confirmed } = await readEventCounts(store.kv);
  assertEquals([hash_generated, record_verified, email_confirmed], [2, 1, 0]);
});

Deno.test("no event is earlier than the previous one when the clock is set back", async () => {
  await using store = await tempKv();
  const { chains, clock } = createTestChains(store.kv);
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

Deno.test("addToCommit writes together with the event, and can cancel it", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  const counter: Deno.KvKey = ["counter"];
  const count = async () => (await store.kv.get<number>(counter)).value;
  await chains.start(HASH, (commit, { seq }) => {
    commit.set(counter, seq + 1);
  });
  assertEquals(await count(), 1);

  const cancel = async (commit: Deno.AtomicOperation) => {
    commit.set(counter, 99);
    return await Promise.resolve(false);
  };
  assertEquals(await chains.append(HASH, "email_confirmed", cancel), null);
  assertEquals(await chains.start(OTHER, cancel), null);
  const fail = () => {
    throw new Error("mine");
  };
  await assertRejects(() => chains.append(HASH, "email_confirmed", fail), Error, "mine");
  assertEquals([await count(), (await readAll(chains)).length], [1, 1]);
  assertEquals(await chains.head(OTHER), null);
});

Deno.test("addToCommit runs again when one of its checks fails", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  const counter: Deno.KvKey = ["counter"];
  await chains.start(HASH);
  let runs = 0;
  await chains.append(HASH, "email_confirmed", async (commit) => {
    const entry = await store.kv.get<number>(counter);
    if (runs++ === 0) await store.kv.set(counter, 7);
    commit.check(entry).set(counter, entry.value! + 1);
  });
  assertEquals([runs, (await store.kv.get(counter)).value], [2, 8]);
  assertEquals(seqs(await readAll(chains)), [0, 1]);
});

Deno.test("page() returns events in ascending order, backward and forward, up to the head", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  for (let i = 1; i < 120; i++) await chains.append(HASH, "record_verified");
  await chains.start(OTHER); // its keys follow in the store
  for (
    const [query, expected] of [
      [undefined, range(100, 120)],
      [{ limit: 5 }, range(115, 120)],
      [{ limit: 1000 }, range(20, 120)],
      [{ limit: 0 }, [119]],
      [{ before: 25 }, range(5, 25)],
      [{ before: 5 }, range(0, 5)],
      [{ before: 0 }, []],
      [{ before: 1000, limit: 2 }, [118, 119]],
      [{ after: 118 }, [119]],
      [{ after: 119 }, []],
      [{ after: Number.MAX_SAFE_INTEGER }, []],
      [{ after: 9, limit: 3 }, [10, 11, 12]],
      [{ after: -1, limit: 1000 }, range(0, 100)],
    ] as const
  ) {
    const page = (await chains.page(HASH, query))!;
    assertEquals(seqs(page.events), [...expected], JSON.stringify(query));
  }
  assertEquals(seqs((await chains.page(OTHER))!.events), [0]);
});

Deno.test("page() does not include an event that is appended while it reads", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  await chains.append(HASH, "email_confirmed");
  const get = store.kv.get.bind(store.kv);
  const { kv } = store;
  let reading = false;
  kv.get = (async (kvKey: Deno.KvKey) => {
    const entry = await get(kvKey);
    if (reading) {
      reading = false;
      await chains.append(HASH, "record_verified");
    }
    return entry;
  }) as typeof kv.get;
  for (const [query, expected] of [[{}, [0, 1]], [{ after: 0 }, [1, 2]]] as const) {
    reading = true;
    const { head, events } = (await chains.page(HASH, query))!;
    assertEquals([head.size, seqs(events)], [expected[1] + 1, [...expected]]);
  }
});

Deno.test("a page is the same whether its head is known or read with it, for every query", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  for (let i = 1; i < 7; i++) await chains.append(HASH, "record_verified");
  const head = (await chains.head(HASH))!;
  const positions = [undefined, 0, 1, 3, 6, 7, 100];
  for (const limit of [1, 3, 100]) {
    for (const position of positions) {
      for (const query of [{ limit, before: position }, { limit, after: position }]) {
        assertEquals(await chains.page(HASH, query), await chains.page(HASH, query, head));
      }
    }
  }
});

Deno.test("a page contains all events of its head, although events are appended while it is read", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  const { get, list } = store.kv;
  for (const query of [{ limit: 2 }, { limit: 2, after: 0 }, { limit: 5, before: 2 }]) {
    const listed = Promise.withResolvers<void>();
    store.kv.list = ((...args: Parameters<typeof list>) => {
      store.kv.list = list;
      const rows = list.apply(store.kv, args);
      const next = rows.next.bind(rows);
      return Object.assign(rows, {
        async next() {
          const row = await next();
          if (row.done) listed.resolve();
          return row;
        },
      });
    }) as typeof list;
    // The head is read after the events, to which one has been added.
    store.kv.get = (async (key: Deno.KvKey) => {
      store.kv.get = get;
      await listed.promise;
      await chains.append(HASH, "record_verified");
      return await get.call(store.kv, key);
    }) as typeof get;
    const page = (await chains.page(HASH, query))!;
    assertEquals(page, await chains.page(HASH, query, page.head));
  }
});
