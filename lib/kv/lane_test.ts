import { assertEquals, assertRejects } from "@std/assert";
import { createLane } from "./lane.ts";
import { KvBusyError } from "./transact.ts";

Deno.test("steps follow one another in their order, also after one that failed", async () => {
  const inTurn = createLane();
  const events: string[] = [];
  const step = (name: string, fails = false) =>
    inTurn(async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const [one, two, three] = [step("one"), step("two", true), step("three")];
  await assertRejects(() => two, Error, "two");
  assertEquals([await one, await three], ["one", "three"]);
  assertEquals(
    events,
    ["one", "two", "three"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

Deno.test("who has long stood behind a step that the store was too busy for fails with it", async () => {
  for (const [error, early] of [[new KvBusyError(100), "failed"], [new Error("no"), "done"]]) {
    let now = 0;
    const inTurn = createLane(() => now);
    const held = Promise.withResolvers<void>();
    const stuck = inTurn(() => held.promise);
    const behind = () => inTurn(() => Promise.resolve()).then(() => "done", () => "failed");
    const others = [behind(), behind()];
    now = 1;
    others.push(behind());
    now = 2_500;
    held.reject(error);
    await assertRejects(() => stuck);
    assertEquals(await Promise.all(others), [early, early, "done"]);
    assertEquals(await behind(), "done");
  }
});
