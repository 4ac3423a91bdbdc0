import { assert, assertEquals } from "@std/assert";
import { HOUR_MS } from "../../base/time.ts";
import type { WriteProblem } from "../kv/mod.ts";
import { createWriteProbe, type WriteRefusal } from "./write_probe.ts";

/** A probe whose time passes only when the test says so, of a server that responds as the test says, or never. */
function setup() {
  const steps: { at: number; run: () => void }[] = [];
  const server = {
    /** Undefined for a server that does not respond. */
    response: undefined as WriteProblem | null | undefined,
    asked: 0,
    waiting: 0,
  };
  const changes: (WriteRefusal | null)[] = [];
  let now = 0;
  const probe = createWriteProbe({
    async tryToWrite(signal) {
      server.asked++;
      if (server.response !== undefined) return server.response;
      server.waiting++;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      server.waiting--;
      throw signal.reason;
    },
    schedule(run, ms) {
      const step = { at: now + ms, run };
      steps.push(step);
      steps.sort((a, b) => a.at - b.at);
      return () => void (steps.includes(step) && steps.splice(steps.indexOf(step), 1));
    },
    responds: () => Promise.resolve(true),
    onChange: (refusal) => changes.push(refusal),
  });
  return {
    server,
    changes,
    probe,
    steps,
    async runUntil(end: number) {
      const settle = () => new Promise((resolve) => setTimeout(resolve));
      await settle();
      for (let [next] = steps; next !== undefined && next.at <= end; [next] = steps) {
        steps.shift();
        now = next.at;
        next.run();
        await settle();
      }
      now = end;
    },
  };
}

Deno.test("a server whose disk is full for an hour is asked every five seconds, until it accepts writes", async () => {
  const { server, changes, probe, steps, runUntil } = setup();
  server.response = "disk_full";
  probe.begin();
  await runUntil(HOUR_MS - 1);
  assertEquals([server.asked, server.waiting, probe.refusal], [720, 0, "disk_full"]);
  server.response = null;
  await runUntil(HOUR_MS);
  assertEquals([changes, probe.refusal, steps.length], [["disk_full", null], null, 0]);
});

Deno.test("a server whose response to a write takes longer is not said to have a full disk, and no write stays with it", async () => {
  const { server, changes, probe, steps, runUntil } = setup();
  for (let i = 1; i <= 3; i++) {
    probe.begin();
    await runUntil(i * 10_000);
    assertEquals([server.asked, server.waiting, probe.refusal, steps.length], [i, 0, null, 0]);
  }
  assertEquals(changes, []);
});

Deno.test("a server whose disk was full, and that does not respond then, accepts no writes until it says so", async () => {
  const { server, changes, probe, runUntil } = setup();
  server.response = "disk_full";
  probe.begin();
  await runUntil(1_000);
  server.response = undefined;
  await runUntil(60_000);
  assert(server.asked > 5 && server.waiting <= 1, `${server.asked}, ${server.waiting}`);
  assertEquals(probe.refusal, "disk_full");
  server.response = "store_refused"; // nothing about writes
  await runUntil(80_000);
  assertEquals(probe.refusal, "disk_full");
  server.response = "store_read_only";
  await runUntil(90_000);
  assertEquals(probe.refusal, "store_read_only");
  probe.end();
  assertEquals(changes, ["disk_full", "store_read_only", null]);
});

Deno.test("a probe that is closed leaves no write with a server that does not respond", async () => {
  const { server, probe, steps, runUntil } = setup();
  probe.begin();
  await runUntil(0);
  assertEquals(server.waiting, 1);
  probe.close();
  await runUntil(0);
  assertEquals([server.waiting, steps.length], [0, 0]);
});
