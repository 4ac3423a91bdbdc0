import { assertEquals, assertRejects } from "@std/assert";
import { actAs, Actor } from "./authority.ts";
import { openKv } from "./open.ts";
import { ReadOnlyError } from "./read_only.ts";
import { rulesOf } from "./store_kv.ts";
import { tempKv } from "./testing/temp_kv.ts";

const locked = () => Promise.reject(new TypeError("database is locked"));

/** Makes the first two of all calls of a method fail as if another process locked the file. */
function lockedTwice<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let calls = 0;
  return (...args) => ++calls <= 2 ? locked() : call(...args);
}

Deno.test("every call of a store is repeated while another process locks the file", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, atomic } = kv;
  const commit = lockedTwice((own: Deno.AtomicOperation["commit"]) => own());
  Object.assign(kv, {
    get: lockedTwice(kv.get.bind(kv)),
    getMany: lockedTwice(kv.getMany.bind(kv)),
    set: lockedTwice(kv.set.bind(kv)),
    delete: lockedTwice(kv.delete.bind(kv)),
    list(selector: Deno.KvListSelector) {
      const iterator = list.call(kv, selector);
      return Object.assign(iterator, { next: lockedTwice(iterator.next.bind(iterator)) });
    },
    atomic() {
      const operation = atomic.call(kv);
      const own = operation.commit.bind(operation);
      return Object.assign(operation, { commit: () => commit(own) });
    },
  });
  rulesOf(kv);
  await kv.set(["a"], 1);
  await kv.set(["b"], 2);
  await kv.delete(["a"]);
  assertEquals((await kv.get(["b"])).value, 2);
  assertEquals((await kv.getMany([["a"], ["b"]])).map(({ value }) => value), [null, 2]);
  assertEquals((await kv.atomic().set(["c"], 3).commit()).ok, true);
  const values = await Array.fromAsync(kv.list({ prefix: [] }), ({ value }) => value);
  assertEquals(values, [2, 3]);
});

Deno.test("a commit that is repeated after a lock has only the checks of the authority as it is then", async () => {
  using kv = await Deno.openKv(":memory:");
  const session: Deno.KvKey = ["sessions", "a"];
  const [atomic, set] = [kv.atomic.bind(kv), kv.set.bind(kv)];
  await set(session, 1);
  let row = await kv.get(session);
  let commits = 0;
  kv.atomic = () => {
    const operation = atomic();
    const own = operation.commit.bind(operation);
    return Object.assign(operation, {
      async commit() {
        if (commits++ > 0) return await own();
        await set(session, 2);
        await actor.ask(); // as another commit of the request does
        return await locked();
      },
    });
  };
  const actor = new Actor("1", rulesOf(kv));
  const read = async () => void (row = await kv.get(session));
  actor.demand({ ask: () => ({ rows: [row], until: Infinity }), read });
  const result = await actAs(actor, () => kv.atomic().set(["a"], 1).commit());
  assertEquals([result.ok, commits], [true, 2]);
});

Deno.test("getMany() reads more than ten keys in the order of the keys", async () => {
  await using store = await tempKv();
  const keys = Array.from({ length: 34 }, (_, i) => ["row", i]);
  for (const key of keys) if (key[1] !== 12) await store.kv.set(key, key[1]);
  const entries = await store.kv.getMany<number[]>(keys);
  assertEquals(entries.map(({ key }) => key), keys);
  assertEquals(entries.map(({ value }) => value), keys.map(([, i]) => i === 12 ? null : i));
  assertEquals(await store.kv.getMany([]), []);
});

Deno.test("a row that several functions check in one commit counts as one check", async () => {
  using kv = await openKv(":memory:");
  await kv.set(["a"], 1);
  const [entry, missing, other] = await kv.getMany([["a"], ["b", 1], ["b", 2]]);
  const repeated = Array.from({ length: 10 }, () => [entry, missing, other]).flat();
  assertEquals((await kv.atomic().check(...repeated).set(["a"], 2).commit()).ok, true);
  const commit = kv.atomic().check(await kv.get(["a"])).check(...repeated).set(["a"], 3);
  assertEquals(await commit.commit(), { ok: false }); // another version of the row is another check
});

Deno.test("a store refuses writes exactly while there is a reason, and reads always work", async () => {
  using kv = await openKv(":memory:");
  const rules = rulesOf(kv);
  await kv.set(["a"], 1);
  const begun = kv.atomic().set(["a"], 2);
  rules.readOnly = () => "configured";
  for (
    const write of [
      () => kv.set(["a"], 3),
      () => kv.delete(["a"]),
      () => kv.atomic().sum(["b"], 1n).commit(),
      () => begun.commit(),
    ]
  ) {
    const { reason } = await assertRejects(write, ReadOnlyError);
    assertEquals(reason, "configured");
  }
  assertEquals((await kv.get(["a"])).value, 1);
  rules.readOnly = () => null;
  assertEquals((await begun.commit()).ok, true);
  assertEquals((await kv.get(["a"])).value, 2);
});

Deno.test("a store refuses a write that the disk does not accept, and passes on other errors", async () => {
  for (
    const [message, expected] of [
      ["database or disk is full", "disk_full"],
      ["disk I/O error", "disk_failed"],
      ["attempt to write a readonly database", "disk_failed"],
    ]
  ) {
    using kv = await Deno.openKv(":memory:");
    kv.set = () => Promise.reject(new TypeError(message));
    const problems: (string | null)[] = [];
    rulesOf(kv).onWrite = (problem) => problems.push(problem);
    const { reason } = await assertRejects(() => kv.set(["a"], 1), ReadOnlyError);
    await kv.delete(["a"]);
    assertEquals([reason, problems], [expected, [expected, null]]);
  }
  using kv = await openKv(":memory:");
  await assertRejects(() => kv.set(["a"], "x".repeat(65_537)), TypeError, "too large");
});

Deno.test("a write that waits for a locked file is refused if the store becomes read-only meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  let attempts = 0;
  const set = () => {
    attempts++;
    rules.readOnly = () => "store_changed";
    return locked();
  };
  const rules = rulesOf(Object.assign(kv, { set }));
  await assertRejects(() => kv.set(["a"], 1), ReadOnlyError);
  assertEquals(attempts, 1);
});
