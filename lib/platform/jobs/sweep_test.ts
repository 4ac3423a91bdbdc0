import { assertEquals, assertRejects } from "@std/assert";
import { openKv } from "../kv/mod.ts";
import { sweepRows } from "./sweep.ts";

const idOf = (i: number) => String(i).padStart(4, "0");

/** Sweeps 250 rows. `step` gets the number of a row and a function that ends the run. */
async function sweepFixture(step: (i: number, stop: () => void) => boolean = () => true) {
  const kv = await openKv(":memory:");
  for (let i = 0; i < 250; i++) await kv.set(["things", idOf(i)], i);
  const seen: number[] = [];
  const saved: unknown[] = [];
  return {
    seen,
    saved,
    run(cursor: unknown) {
      const controller = new AbortController();
      const save = (value: unknown) => Promise.resolve(void saved.push(value));
      return sweepRows<number>(
        kv,
        "things",
        { cursor, signal: controller.signal, save },
        ({ value }) => {
          seen.push(value);
          return Promise.resolve(step(value, () => controller.abort()));
        },
      );
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a sweep reads every row once, in pages, and counts those that were changed", async () => {
  using fixture = await sweepFixture((i) => i % 2 === 0);
  assertEquals(await fixture.run(null), 125);
  assertEquals(fixture.seen, Array.from({ length: 250 }, (_, i) => i));
  assertEquals(fixture.saved, [idOf(99), idOf(199)]);
});

Deno.test("a sweep that is out of time continues after its last row", async () => {
  using fixture = await sweepFixture((i, stop) => {
    if (i === 120) stop();
    return true;
  });
  assertEquals(await fixture.run(null), 121);
  assertEquals(fixture.saved.at(-1), idOf(120));
  assertEquals(await fixture.run(fixture.saved.at(-1)), 129);
  assertEquals(fixture.seen, Array.from({ length: 250 }, (_, i) => i));
});

Deno.test("a row that fails stops no other row, and the next sweep begins with the first one", async () => {
  using fixture = await sweepFixture((i) => {
    if (i === 3) throw new Error(`row ${i}`);
    return true;
  });
  await assertRejects(() => fixture.run(null), Error, "row 3");
  assertEquals(fixture.seen.length, 250);
  assertEquals(fixture.saved.at(-1), null);
});
