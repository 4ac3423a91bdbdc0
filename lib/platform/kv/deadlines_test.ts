import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Overdue, StoreUnavailableError } from "./deadlines.ts";
import { rulesOf } from "./store_kv.ts";
import { hangingKv } from "./testing/hanging_kv.ts";
import { serveConnect } from "./testing/connect_server.ts";
import { openKv } from "./open.ts";

/** A store in memory whose calls can hang, and whose time passes only when the test says so. */
async function hangingStore() {
  const memory = await Deno.openKv(":memory:");
  const hanging = hangingKv(memory);
  const { kv, hang, release } = hanging;
  const rules = rulesOf(kv);
  // Reads of a request begin a little later, so time would pass before them.
  rules.together = false;
  const { deadlines } = rules;
  const timers = new Map<() => void, number>();
  const overdue: Overdue[] = [];
  let now = 0;
  let started = 0;
  Object.assign(deadlines, {
    schedule(run: () => void, ms: number) {
      timers.set(run, now + ms);
      started++;
      return () => void timers.delete(run);
    },
    now: () => now,
    onOverdue: (late: Overdue) => overdue.push(late),
  });
  return {
    kv,
    hang,
    release,
    deadlines,
    overdue,
    timers,
    /** How many calls have no response. */
    get held() {
      return hanging.held;
    },
    get started() {
      return started;
    },
    /** Lets time pass, and calls the timers that are due. */
    pass(ms: number) {
      now += ms;
      for (const [run, at] of [...timers]) {
        if (at > now) continue;
        timers.delete(run);
        run();
      }
    },
    async [Symbol.asyncDispose]() {
      await release();
      memory.close();
    },
  };
}

const failure = (call: Promise<unknown>): Promise<StoreUnavailableError> =>
  assertRejects(() => call, StoreUnavailableError);

Deno.test("a call that gets no response for five seconds rejects, and names its tables but no keys", async () => {
  await using store = await hangingStore();
  const { kv } = store;
  const calls: [name: string, call: () => Promise<unknown>, outcome: string][] = [
    ["get sessions", () => kv.get(["sessions", "secret"]), "unchanged"],
    [
      "get contacts sessions",
      () => kv.getMany([["sessions", "x"], ["contacts", 1], ["contacts", 2]]),
      "unchanged",
    ],
    ["list contacts", () => kv.list({ prefix: ["contacts", "x"] }).next(), "unchanged"],
    ["list contacts", () => kv.list({ start: ["contacts"], end: ["d"] }).next(), "unchanged"],
    ["list everything", () => kv.list({ prefix: [] }).next(), "unchanged"],
    ["set users", () => kv.set(["users", "x"], 1), "unknown"],
    ["delete users", () => kv.delete(["users", "y"]), "unknown"],
    [
      "commit contacts",
      () =>
        kv.atomic().check({ key: ["contacts", "x"], versionstamp: null }).set(["a"], 1).commit(),
      "unknown",
    ],
  ];
  store.hang();
  const waiting = calls.map(([, call]) => call());
  waiting.forEach((each) => each.catch(() => {}));
  store.pass(4_999);
  assertEquals(store.overdue, []);
  store.pass(1);
  const errors = await Promise.all(waiting.map(failure));
  assertEquals(
    errors.map(({ operation, outcome, code }) => [operation, outcome, code]),
    calls.map(([name, , outcome]) => [name, outcome, "store_unavailable"]),
  );
  assertEquals(store.overdue.map(({ operation }) => operation), calls.map(([name]) => name));
  assertEquals(store.overdue.every(({ ms }) => ms === 5_000), true);
  // The attempts land when the store responds again.
  await store.release();
  assertEquals((await kv.get(["users", "x"])).value, 1);
});

Deno.test("a call that ends in time leaves no timer, and a list starts one per batch", async () => {
  await using store = await hangingStore();
  const { kv } = store;
  const commit = kv.atomic();
  for (let i = 0; i < 250; i++) commit.set(["row", i], i);
  await commit.commit();
  await assertRejects(() => kv.set(["a"], "x".repeat(70_000)), TypeError);
  assertEquals(store.timers.size, 0);
  for (
    const [options, batches] of [
      [undefined, 3],
      [{ batchSize: 50 }, 6],
      [{ limit: 40 }, 1],
    ] as const
  ) {
    const before = store.started;
    const rows = await Array.fromAsync(kv.list({ prefix: ["row"] }, options));
    assertEquals([rows.length, store.started - before], [options?.limit ?? 250, batches]);
  }
  assertEquals(store.timers.size, 0);
});

Deno.test("a later batch of a list has a deadline too", async () => {
  await using store = await hangingStore();
  const { kv } = store;
  await kv.atomic().set(["row", 1], 1).set(["row", 2], 2).set(["row", 3], 3).commit();
  const list = kv.list({ prefix: ["row"] }, { batchSize: 2 });
  await list.next();
  store.hang();
  assertEquals((await list.next()).value?.value, 2); // read already
  const third = list.next();
  third.catch(() => {});
  store.pass(5_000);
  assertEquals((await failure(third)).operation, "list row");
});

Deno.test("the calls of one caller share a budget, in which calls at the same time count once", async () => {
  await using store = await hangingStore();
  const { kv, deadlines } = store;
  await deadlines.within(10_000, async () => {
    for (let i = 0; i < 2; i++) {
      store.hang();
      const reads = [kv.get(["a"]), kv.get(["b"]), kv.get(["c"])];
      store.pass(4_000);
      await store.release();
      await Promise.all(reads);
    }
    store.hang();
    const last = kv.get(["a"]);
    last.catch(() => {});
    store.pass(1_999);
    assertEquals(store.overdue, []);
    store.pass(1);
    await failure(last);
    assertEquals(store.overdue, [{ operation: "get a", ms: 2_000, overdue: 1 }]);
    store.overdue.length = 0;
    await store.release();
    await failure(kv.get(["a"])); // refused without a call
  });
  assertEquals([store.timers.size, store.overdue], [0, []]);
});

Deno.test("one overdue call of a caller is reported, and one that would begin when its time is over", async () => {
  await using store = await hangingStore();
  const { kv, deadlines } = store;
  store.hang();
  await deadlines.within(10_000, async () => {
    const reads = [kv.get(["a"]), kv.get(["b"])];
    reads.forEach((each) => each.catch(() => {}));
    store.pass(5_000);
    await Promise.all(reads.map(failure));
  });
  assertEquals(store.overdue.map(({ operation }) => operation), ["get a"]);
  store.overdue.length = 0;
  await store.release();
  store.hang();
  await deadlines.within(1_000, async () => {
    const read = kv.get(["a"]);
    read.catch(() => {});
    store.timers.clear();
    store.pass(1_000);
    await store.release();
    await read; // in the last moment
    await failure(kv.get(["b"]));
  });
  assertEquals(store.overdue, [{ operation: "get b", ms: 1_000, overdue: 0 }]);
});

Deno.test("after an overdue call, the further calls of its caller are refused, and those of others are not", async () => {
  await using store = await hangingStore();
  const { kv, deadlines } = store;
  const later = Promise.withResolvers<void>();
  let after: Promise<unknown> | undefined;
  await deadlines.within(10_000, async () => {
    await kv.set(["a"], 1);
    store.hang();
    const read = kv.get(["a"]);
    read.catch(() => {});
    store.pass(5_000);
    // A write has been sent before, so it is not certain that nothing has changed.
    assertEquals((await failure(read)).outcome, "unknown");
    assertEquals((await failure(kv.set(["a"], 2))).outcome, "unknown");
    await store.release();
    await failure(kv.get(["a"]));
    after = later.promise.then(() => kv.get(["a"]));
  });
  later.resolve();
  assertEquals(await after!.then((entry) => (entry as { value: number }).value), 1); // a stream
  assertEquals((await kv.get(["a"])).value, 1);
});

Deno.test("while 200 reads are overdue, one call at a time tries, and the others are refused at once", async () => {
  await using store = await hangingStore();
  const { kv } = store;
  store.hang("get");
  const waiting = Array.from({ length: 200 }, (_, i) => kv.get(["a", i]));
  waiting.forEach((each) => each.catch(() => {}));
  store.pass(5_000);
  await Promise.all(waiting.map(failure));
  assertEquals(store.overdue.at(-1)?.overdue, 200);
  const probe = kv.get(["probe"]);
  probe.catch(() => {});
  assertEquals((await failure(kv.get(["refused"]))).outcome, "unchanged");
  await kv.set(["a"], 1); // writes are counted separately
  store.pass(5_000);
  await failure(probe);
  const second = kv.get(["second probe"]);
  await failure(kv.get(["refused"]));
  assertEquals(store.timers.size, 1);
  await store.release();
  await second;
  assertEquals((await kv.get(["a"])).value, 1);
  await Promise.all(Array.from({ length: 50 }, (_, i) => kv.get(["a", i]))); // none is refused
});

Deno.test("in a night without a response, 60 reads more than 200 are made, however many are asked for", async () => {
  await using store = await hangingStore();
  const { kv } = store;
  store.hang("get");
  const refuse = async (calls: Promise<unknown>[]) => {
    calls.forEach((each) => each.catch(() => {}));
    store.pass(5_000);
    await Promise.all(calls.map(failure));
  };
  await refuse(Array.from({ length: 200 }, (_, i) => kv.get(["a", i])));
  for (let i = 0; i < 5; i++) await refuse([kv.get(["a"]), kv.get(["b"])]);
  assertEquals(store.held, 204, "four follow each other, and then they become rarer");
  await refuse([kv.get(["a"])]);
  assertEquals(store.held, 205);
  for (let s = 0; s < 10 * 60 * 60; s += 5) await refuse([kv.get(["a"]), kv.get(["b"])]);
  assert(store.held > 250 && store.held < 275, `${store.held}`);
  await store.release();
  await Promise.all(Array.from({ length: 50 }, (_, i) => kv.get(["a", i]))); // none is refused
});

Deno.test("200 calls that were lost with a connection keep no others out once the store responds", async () => {
  await using store = await hangingStore();
  const { kv, deadlines } = store;
  const lost = () => ({
    operation: () => "get lost",
    writes: false,
    run: () => new Promise(() => {}),
  });
  const waiting = Array.from({ length: 200 }, () => deadlines.call(lost()));
  waiting.forEach((each) => each.catch(() => {}));
  store.pass(5_000);
  await Promise.all(waiting.map(failure));
  const probe = kv.get(["a"]);
  await failure(kv.get(["refused"]));
  await probe;
  await Promise.all([kv.get(["a"]), kv.get(["b"])]);
});

Deno.test("a commit whose outcome cannot be read in time is reported as unknown", async () => {
  await using server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  using kv = await openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  let calls = 0;
  let respond = () => {};
  rulesOf(kv).deadlines.schedule = (run) => {
    // The commit and the mark that it is abandoned fail, and the read of its row gets no response.
    if (++calls < 3) return () => {};
    respond = server.hang();
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  };
  server.upcoming.push("unavailable");
  const error = await failure(kv.atomic().set(["a"], 1).commit());
  respond();
  assertEquals([error.operation, error.outcome], ["get commits", "unknown"]);
});
