import { assertEquals, assertRejects } from "@std/assert";
import { createLanes } from "./lanes.ts";

Deno.test("steps of one key take turns in order, those of another go on beside", async () => {
  const inTurn = createLanes();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const step = (name: string, wait?: Promise<void>) => async () => {
    await wait;
    done.push(name);
    return name;
  };
  const first = inTurn("a", step("a1", gate.promise));
  const second = inTurn("a", step("a2"));
  assertEquals(await inTurn("b", step("b1")), "b1");
  assertEquals(done, ["b1"]);
  gate.resolve();
  assertEquals(await Promise.all([first, second]), ["a1", "a2"]);
  assertEquals(done, ["b1", "a1", "a2"]);
});

Deno.test("a step that fails tells its caller and lets the next one go", async () => {
  const inTurn = createLanes();
  const failing = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", () => Promise.resolve("yes"));
  await assertRejects(() => failing, Error, "no");
  assertEquals(await next, "yes");
  assertEquals(await inTurn("a", () => Promise.resolve("again")), "again");
});
