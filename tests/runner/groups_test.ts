import { assert, assertEquals } from "@std/assert";
import { divide } from "./groups.ts";
import { sumTimes } from "./times.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

function assertDivided(wanted: number | undefined, count: number) {
  const names = [
    ...Array.from({ length: 40 }, (_, i) => `tests/t${i}_test.ts`),
    ...Array.from({ length: 20 }, (_, i) => `tests/t${i}_browser_test.ts`),
  ];
  const times = Object.fromEntries(names.map((name, i) => [name, 1 + i % 5]));
  const groups = divide(names.map((name) => ROOT + name), wanted, times);
  assertEquals(
    groups.flatMap(({ paths }) => paths).sort(),
    names.map((each) => ROOT + each).sort(),
  );
  const withBrowser = groups.filter(({ paths }) => paths.some((path) => path.includes("browser")));
  assertEquals(withBrowser, groups.slice(0, 2));
  const seconds = groups.map(({ paths }) =>
    paths.reduce((sum, path) => sum + times[path.slice(ROOT.length)], 0)
  );
  assert(
    seconds.length === count && Math.max(...seconds) - Math.min(...seconds) <= 5,
    `${seconds}`,
  );
}

Deno.test("files are divided by their CPU times, and two groups have those with a browser", () => {
  assertDivided(undefined, 4);
  assertDivided(6, 6);
});

Deno.test("the times of a file's tests are added up, without the loading of its group", () => {
  const lines = [["a", 1], ["b", 2], [null, 9], ["a", 0.5]] as const;
  const text = lines.map(([file, seconds]) => `${JSON.stringify({ file, seconds })}\n`).join("");
  assertEquals(sumTimes(text), { a: 1.5, b: 2 });
});
