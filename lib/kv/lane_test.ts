import { assertEquals, assertRejects } from "@std/assert";
import { createLane } from "./lane.ts";

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
