import { assertEquals } from "@std/assert";
import { Histogram, Registry } from "prom-client";
import { RequestDurations } from "./durations.ts";

Deno.test("requests have the same text as in a histogram of prom-client", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = new RequestDurations("seconds");
  ours.registerMetric(durations as unknown as Histogram);
  const histogram = new Histogram({
    name: "seconds",
    help: durations.help,
    labelNames: ["surface", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [theirs],
  });
  assertEquals(await ours.metrics(), await theirs.metrics());

  const requests: [surface: string, route: string, status: number, seconds: number][] = [
    ["site", "/", 200, 0.0005],
    ["site", "/", 200, 0.001],
    ["site", "/", 204, 3],
    ["site", "/", 500, 11],
    ["site", "/auth", 302, 0.03],
    ["trust", "/", 200, 0],
  ];
  for (const [surface, route, status, seconds] of requests) {
    durations.observe(surface, route, status, seconds);
    histogram.observe({ surface, route, status: `${status}`[0] + "xx" }, seconds);
  }
  assertEquals(await ours.metrics(), await theirs.metrics());
});
