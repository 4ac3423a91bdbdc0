import { assertEquals, assertRejects } from "@std/assert";
import { eachOf } from "./slots.ts";

/** Lets pending work run, so that each loop takes its next item. */
const turn = () => new Promise((done) => setTimeout(done));

Deno.test("eachOf() runs a step for each of 50 items, 20 at the same time", async () => {
  const done: number[] = [];
  const waiting: (() => void)[] = [];
  const all = eachOf(Array.from({ length: 50 }, (_, i) => i), async (i) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    done.push(i);
  });
  const batches: number[] = [];
  while (done.length < 50) {
    await turn();
    batches.push(waiting.length);
    for (const resolve of waiting.splice(0)) resolve();
    await turn();
  }
  await all;
  assertEquals(batches.filter((size) => size > 0), [20, 20, 10]);
  assertEquals(done, Array.from({ length: 50 }, (_, i) => i));
});

Deno.test("eachOf() begins no more steps after one has failed, and fails with its error once the others have ended", async () => {
  let [begun, ended] = [0, 0];
  const step = async (i: number) => {
    begun++;
    if (i === 3) throw new Error("third");
    await turn();
    ended++;
  };
  await assertRejects(() => eachOf(Array.from({ length: 50 }, (_, i) => i), step), Error, "third");
  assertEquals([begun, ended], [20, 19]);
  await turn();
  assertEquals(begun, 20);
});
