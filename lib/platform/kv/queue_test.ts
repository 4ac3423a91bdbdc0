import { assertEquals, assertRejects } from "@std/assert";
import { createKeyedQueue, createQueue } from "./queue.ts";
import { KvBusyError } from "./transact.ts";

Deno.test("a queue runs steps one at a time in order, and continues after a failure", async () => {
  const enqueue = createQueue();
  const events: string[] = [];
  const add = (name: string, fails = false) =>
    enqueue(async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const [one, two, three] = [add("one"), add("two", true), add("three")];
  await assertRejects(() => two, Error, "two");
  assertEquals([await one, await three], ["one", "three"]);
  assertEquals(
    events,
    ["one", "two", "three"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

Deno.test("steps that waited 2.5 s behind a step that failed with KvBusyError fail too", async () => {
  for (const [error, early] of [[new KvBusyError(100), "failed"], [new Error("no"), "done"]]) {
    let now = 0;
    const enqueue = createQueue(() => now);
    const held = Promise.withResolvers<void>();
    const first = enqueue(() => held.promise);
    const add = () => enqueue(() => Promise.resolve()).then(() => "done", () => "failed");
    const others = [add(), add()];
    now = 1;
    others.push(add());
    now = 2_500;
    held.reject(error);
    await assertRejects(() => first);
    assertEquals(await Promise.all(others), [early, early, "done"]);
    assertEquals(await add(), "done");
  }
});

Deno.test("a keyed queue runs steps of one key in order, and those of other keys concurrently", async () => {
  const enqueue = createKeyedQueue();
  const held = Promise.withResolvers<void>();
  const done: string[] = [];
  const step = (name: string, wait?: Promise<void>) => async () => {
    await wait;
    done.push(name);
    return name;
  };
  const first = enqueue("a", step("a1", held.promise));
  const second = enqueue("a", step("a2"));
  assertEquals(await enqueue("b", step("b1")), "b1");
  assertEquals(done, ["b1"]);
  held.resolve();
  assertEquals(await Promise.all([first, second]), ["a1", "a2"]);
  assertEquals(done, ["b1", "a1", "a2"]);
});

Deno.test("a step that fails in a keyed queue rejects for its caller only", async () => {
  const enqueue = createKeyedQueue();
  const failing = enqueue("a", () => Promise.reject(new Error("no")));
  const next = enqueue("a", () => Promise.resolve("yes"));
  await assertRejects(() => failing, Error, "no");
  assertEquals(await next, "yes");
  assertEquals(await enqueue("a", () => Promise.resolve("again")), "again");
});
