import { assert } from "@std/assert";
import { sleep } from "./sleep.ts";

Deno.test("sleep() resolves after its time, and at once when its signal is aborted", async () => {
  const start = performance.now();
  await sleep(20);
  assert(performance.now() - start >= 19);
  const stop = new AbortController();
  const sleeping = sleep(1_000_000, stop.signal);
  stop.abort();
  await sleeping;
  await sleep(1_000_000, stop.signal);
});
