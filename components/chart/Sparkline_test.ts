import { assertEquals } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { niceTicks, Sparkline } from "./Sparkline.tsx";

for (
  const [low, high, ticks] of [
    [10_181_286.98, 11_363_000, [10_000_000, 10_500_000, 11_000_000, 11_500_000]],
    [-30, 55, [-50, -25, 0, 25, 50, 75]],
    [0, 0, [0, 0.25]],
    [100, 100, [100, 102.5]],
    [0.01, 0.02, [0.01, 0.0125, 0.015, 0.0175, 0.02]],
  ] as [number, number, number[]][]
) {
  Deno.test(`values from ${low} to ${high} have ticks ${ticks}`, () => {
    assertEquals(niceTicks([low, high]).map((tick) => Math.round(tick * 1e6) / 1e6), ticks);
  });
}

for (
  const [values, path, end] of [
    [[1, 3, 2], "M0 22L48 0L96 11", ["96", "11"]],
    [[5, 5], "M0 11L96 11", ["96", "11"]],
    [[0, 1, 1, 1], "M0 22L32 0L64 0L96 0", ["96", "0"]],
    [[0, 2, 1, 7], "M0 22L32 15.7L64 18.9L96 0", ["96", "0"]],
  ] as [number[], string, string[]][]
) {
  Deno.test(`the sparkline of ${values} is ${path}`, () => {
    const html = renderToString(h(Sparkline, { values }));
    const drawn = [/ d="(.*?)"/, / cx="(.*?)"/, / cy="(.*?)"/].map((one) => one.exec(html)?.[1]);
    assertEquals(drawn, [path, ...end]);
  });
}
