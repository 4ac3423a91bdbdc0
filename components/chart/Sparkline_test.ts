import { assertEquals } from "@std/assert";
import { niceTicks } from "./Sparkline.tsx";

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
