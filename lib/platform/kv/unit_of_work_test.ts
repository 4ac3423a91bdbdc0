import { assertEquals, assertRejects } from "@std/assert";
import { fail } from "../../base/result.ts";
import { sleep } from "../../base/sleep.ts";
import { tempKv } from "./testing/temp_kv.ts";
import { inUnit, type UnitOfWork } from "./unit_of_work.ts";

const clock = () => 5;

/** Adds a row at a later time, as writers do that read first. */
async function add(unit: UnitOfWork, name: string): Promise<void> {
  await Promise.resolve();
  unit.commit.set([name], unit.now);
}

Deno.test("all writers of a unit are in one commit, and its steps follow in their order", async () => {
  await using store = await tempKv();
  const done: string[] = [];
  const result = await inUnit({ kv: store.kv, clock }, async (unit) => {
    unit.add(add(unit, "beside"));
    unit.after(async () => {
      done.push(`first ${(await store.kv.get(["own"])).value}`);
    });
    unit.after(() => done.push("second"));
    await add(unit, "own");
    return { ok: true, id: 1 };
  });
  assertEquals(result, { ok: true, id: 1 });
  assertEquals(done, ["first 5", "second"]);
  const [own, beside] = await store.kv.getMany([["own"], ["beside"]]);
  assertEquals([own.value, own.versionstamp], [5, beside.versionstamp]);
});

Deno.test("a failure of the unit or of a writer stores nothing, and no step follows", async () => {
  await using store = await tempKv();
  const refused = fail("conflict");
  const steps: string[] = [];
  const own = await inUnit({ kv: store.kv, clock }, async (unit) => {
    unit.after(() => steps.push("own"));
    await add(unit, "own");
    return refused;
  });
  const other = await inUnit({ kv: store.kv, clock }, async (unit) => {
    unit.after(() => steps.push("other"));
    unit.add(Promise.resolve(refused));
    await add(unit, "own");
    return { ok: true };
  });
  assertEquals([own, other, steps], [refused, refused, []]);
  assertEquals((await store.kv.get(["own"])).versionstamp, null);
});

Deno.test("a unit that fails ends after its slowest writer, which can add nothing to a later attempt", async () => {
  await using store = await tempKv();
  const slow = Promise.withResolvers<void>();
  const order: string[] = [];
  const running = inUnit({ kv: store.kv, clock }, (unit) => {
    unit.add(slow.promise.then(() => void order.push("writer")));
    return Promise.resolve(fail("conflict"));
  }).then(() => order.push("unit"));
  setTimeout(slow.resolve);
  await running;
  assertEquals(order, ["writer", "unit"]);
});

Deno.test("a unit whose commit conflicts runs again, and only the steps of the last attempt follow", async () => {
  await using store = await tempKv();
  const attempts: number[] = [];
  const steps: number[] = [];
  await inUnit({ kv: store.kv, clock }, async (unit) => {
    const entry = await store.kv.get<number>(["count"]);
    const attempt = attempts.push(Number(entry.value));
    if (attempt === 1) await store.kv.set(["count"], 7);
    unit.commit.check(entry).set(["count"], Number(entry.value) + 1);
    unit.after(() => steps.push(attempt));
    return {};
  });
  assertEquals([attempts, steps, (await store.kv.get(["count"])).value], [[0, 7], [2], 8]);
});

Deno.test("a unit that adds nothing commits nothing, and an error of a writer is thrown", async () => {
  await using store = await tempKv();
  const kv = new Proxy(store.kv, {
    get: () => {
      throw new Error("the store was used");
    },
  });
  assertEquals(await inUnit({ kv, clock }, () => Promise.resolve({ ok: true })), { ok: true });
  const failing = () =>
    inUnit({ kv: store.kv, clock }, (unit) => {
      unit.add(Promise.reject(new Error("broken")));
      return Promise.resolve({});
    });
  await assertRejects(failing, Error, "broken");
});

Deno.test("a writer that fails while the unit still reads refuses the unit, and is not an unhandled error", async () => {
  await using store = await tempKv();
  const failing = () =>
    inUnit({ kv: store.kv, clock }, async (unit) => {
      unit.add(Promise.reject(new Error("broken")));
      await sleep(5); // such as a read
      unit.commit.set(["own"], 1);
      return {};
    });
  await assertRejects(failing, Error, "broken");
  assertEquals((await store.kv.get(["own"])).versionstamp, null);
});
