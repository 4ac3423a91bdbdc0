import { assert, assertEquals } from "@std/assert";
import { divide } from "./groups.ts";
import { sumTimes } from "./times.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

function assertDivided(wanted: number | undefined, counts: Record<string, number>) {
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
  const seconds = new Map(groups.map(({ name, paths }) => {
    const isBrowser = name.includes("browser");
    assert(paths.every((path) => path.includes("browser") === isBrowser), name);
    return [name, paths.reduce((sum, path) => sum + times[path.slice(ROOT.length)], 0)];
  }));
  for (const [kind, count] of Object.entries(counts)) {
    const own = [...seconds].filter(([name]) => name.includes(kind)).map(([, sum]) => sum);
    assert(own.length === count && Math.max(...own) - Math.min(...own) <= 5, `${kind}: ${own}`);
  }
}

Deno.test("files are divided by their CPU times, and each is in one group of its kind", () => {
  assertDivided(undefined, { browser: 2, other: 3 });
  assertDivided(8, { browser: 2, other: 6 });
});

Deno.test("the times of a file's tests are added up, without the loading of its group", () => {
  const lines = [["a", 1], ["b", 2], [null, 9], ["a", 0.5]] as const;
  const text = lines.map(([file, seconds]) => `${JSON.stringify({ file, seconds })}\n`).join("");
  assertEquals(sumTimes(text), { a: 1.5, b: 2 });
});
