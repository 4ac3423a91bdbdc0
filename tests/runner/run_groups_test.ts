import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type Schedule, scheduleTimeout } from "../../lib/base/schedule.ts";
import { HANG_MS } from "../../lib/testing/times.ts";
import { runGroups } from "./run_groups.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const NEVER = new AbortController().signal;
const LAST_STEP = "the last step before SIGKILL";
const ARRIVED = "last_step_arrived";

/** Made-up test files by name. */
const FILES: Record<string, string> = {
  passing: `
    Deno.test("p1", async (t) => {
      await t.step("step", () => console.log("x ... FAILED (1ms)"));
    });
    Deno.test("p2 with a\\u2028line separator", () => {});`,
  mixed: `
    Deno.test("fails", () => { throw new Error("wrong"); });
    Deno.test("has a failed step", async (t) => {
      await t.step("step", () => { throw new Error("wrong"); });
    });
    Deno.test("exits", () => Deno.exit(0));
    Deno.test({ name: "ignored", ignore: true, fn() {} });
    Deno.test("runs after them", () => {});`,
  rejects: `
    Deno.test("starts a promise", () => void Promise.reject(new Error("lost")));
    Deno.test("waits", () => new Promise((resolve) => setTimeout(resolve, 1_000)));
    Deno.test("r3", () => {});`,
  killed: `
    Deno.test("k1", () => {});
    Deno.test("kills Deno", async (t) => {
      // Deno prints in another thread. The other side creates the file when the step's line has arrived.
      await t.step("${LAST_STEP}", () => {});
      while (!await Deno.stat(new URL("${ARRIVED}", import.meta.url)).catch(() => null)) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      Deno.kill(Deno.pid, "SIGKILL");
    });
    Deno.test("k3", () => {});
    Deno.test("k4", () => {});`,
  broken: `
    Deno.test("b1", () => {});
    throw new Error("broken import");`,
  only: `
    Deno.test("o1", () => {});
    Deno.test("o2", () => {});
    Deno.test.only("o3", () => {});`,
  unloads: `
    Deno.test("u1", () => {});
    Deno.test.afterAll(() => { throw new Error("wrong cleanup"); });`,
  hangs: `
    Deno.test("h1", () => {});
    Deno.test("hangs", async () => {
      const timer = setInterval(() => {}, 1_000);
      await new Promise(() => {});
      clearInterval(timer);
    });`,
};

/** Runs groups of the files above. */
async function run(
  groups: Record<string, (keyof typeof FILES)[]>,
  options: Partial<Parameters<typeof runGroups>[1]> = {},
): Promise<{ passed: boolean; lines: string[]; text: string; last: string }> {
  const folder = await Deno.makeTempDir();
  const lines: string[] = [];
  try {
    const pathOf = (name: string) => join(folder, `${name}_test.ts`);
    for (const [name, text] of Object.entries(FILES)) await Deno.writeTextFile(pathOf(name), text);
    const passed = await runGroups(
      Object.entries(groups).map(([name, files]) => ({ name, paths: files.map(pathOf) })),
      {
        root: ROOT,
        folder,
        flags: [],
        env: { NO_COLOR: "1" },
        jobs: 3,
        silenceMs: HANG_MS,
        verbose: false,
        print(text) {
          lines.push(...text.split("\n"));
          if (text.includes(`${LAST_STEP} ... ok`)) {
            Deno.writeTextFileSync(join(folder, ARRIVED), "");
          }
        },
        ...options,
      },
      NEVER,
    );
    return { passed, lines, text: lines.join("\n"), last: lines.at(-1)! };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a group that is incomplete is named with the number of tests that did not run, and they count as failed", async () => {
  const { passed, text, last } = await run({
    One: ["passing", "mixed"],
    Two: ["passing", "rejects"],
    Three: ["killed", "passing"],
    Four: ["only", "passing"],
    Five: ["unloads"],
  }, { verbose: true });
  assert(!passed);
  for (
    const line of [
      "Two (2 files: passing_test.ts, rejects_test.ts) ended with status 1 during “starts a promise”: 3 of 5 tests did not run to their end.",
      "Three (2 files: killed_test.ts, passing_test.ts) was killed by SIGKILL during “kills Deno”: 5 of 6 tests did not run to their end.",
      "Four (2 files: only_test.ts, passing_test.ts) ended with status 1: 4 tests did not run because of `only`.",
      "Five ended with status 1, although no test failed.",
    ]
  ) assertStringIncludes(text, line);
  for (const name of ["fails", "has a failed step ... step", "exits"]) {
    assertStringIncludes(text.slice(text.indexOf("\nFailed:\n")), `\n${name} => `);
  }
  // Passed: 3, 2, 1, 1 and 1. Failed: 3, 3, 5, 4 and the group Five.
  assertEquals(last, "8 passed, 16 failed, 1 skipped");
});

Deno.test("the errors of failed tests are repeated at the end, before the list of the tests", async () => {
  const { text } = await run({ One: ["passing", "mixed"], Two: ["passing"] });
  const end = text.slice(text.lastIndexOf(" failed in "), text.indexOf("\nFailed:\n"));
  assertEquals(end.match(/^error: Error: wrong$/gm)?.length, 2, end);
});

Deno.test("a file that cannot be loaded is named and counts as failed, and the others of its group run", async () => {
  const { passed, lines, text, last } = await run({ One: ["passing", "broken"] });
  assert(!passed);
  assertStringIncludes(text, "One runs again file by file.");
  assertStringIncludes(text, "broken import");
  const [problem] = lines.slice(lines.indexOf("Incomplete:") + 1);
  assert(/broken_test\.ts ended with status 1 before its tests were registered\.$/.test(problem));
  assertEquals(last, "2 passed, 1 failed");
});

Deno.test("the output of passing tests is not printed, and filtered tests are not counted", async () => {
  const all = await run({ One: ["passing"] });
  assertEquals([all.passed, all.last], [true, "2 passed, 0 failed"]);
  assert(!all.text.includes("p1"), all.text);
  const { passed, last } = await run({ One: ["passing", "mixed"] }, { flags: ["--filter=p2"] });
  assertEquals([passed, last], [true, "1 passed, 0 failed"]);
});

Deno.test("a group that prints nothing for too long is killed, and the test that hangs is named", async () => {
  let timers = 0;
  // Before Deno prints for the first time, it loads the file, which may take long.
  const schedule: Schedule = (run, ms) => scheduleTimeout(run, timers++ === 0 ? HANG_MS : ms);
  const { passed, text, last } = await run({ One: ["hangs"] }, { silenceMs: 6_000, schedule });
  assert(!passed);
  assertStringIncludes(
    text,
    "One was killed, because it printed nothing for 6 s during “hangs”: 1 of 2 tests did not run to their end.",
  );
  assertEquals(last, "1 passed, 1 failed");
});

Deno.test("a run that starts no group fails", async () => {
  assert(!(await run({ One: ["passing"] }, { jobs: 0 })).passed);
});
