import { assert, assertEquals } from "@std/assert";
import { HOUR_MS } from "../../base/time.ts";
import { createWriteProbe } from "./write_probe.ts";

Deno.test("a store that accepts no write for a night gets few, because the client repeats each of them", async () => {
  let now = 0;
  let writes = 0;
  const steps: { at: number; run: () => void }[] = [];
  const changes: unknown[] = [];
  const probe = createWriteProbe({
    tryToSet() {
      writes++;
      return new Promise(() => {});
    },
    clock: () => now,
    schedule(run, ms) {
      steps.push({ at: now + ms, run });
      return () => {};
    },
    responds: () => Promise.resolve(true),
    onChange: (refusal) => changes.push(refusal),
  });
  const runUntil = async (end: number) => {
    await Promise.resolve();
    for (let [next] = steps; next !== undefined && next.at <= end; [next] = steps) {
      steps.shift();
      now = next.at;
      next.run();
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  probe.begin();
  await runUntil(60_000);
  assert(writes >= 5, `${writes} in the first minute`);
  await runUntil(10 * HOUR_MS);
  assert(writes > 60 && writes < 80, `${writes} in ten hours`);
  assertEquals(changes, ["disk_full"]);
  probe.close();
});
