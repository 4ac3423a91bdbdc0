import { assertEquals } from "@std/assert";
import { downloadPackages } from "./packages.ts";

const FAILED = "error: npm package 'zod' could not be downloaded: connection reset";

/** Downloads with a Deno that gives these results, in their order, and succeeds afterwards. */
async function download(...results: { success: boolean; text: string }[]) {
  const [commands, waits, printed]: [string[], number[], string[]] = [[], [], []];
  const isComplete = await downloadPackages({
    root: "/",
    print: (line) => printed.push(line.replace(/[\d.]+ s$/, "# s")),
    run([command]) {
      commands.push(command);
      return Promise.resolve(results.shift() ?? { success: true, text: "" });
    },
    wait(ms) {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { isComplete, commands, waits, printed };
}

Deno.test("packages that are there take one command for them and one for the bundler, and nothing is printed", async () => {
  assertEquals(await download(), {
    isComplete: true,
    commands: ["cache", "bundle"],
    waits: [],
    printed: [],
  });
});

Deno.test("a download that fails twice is repeated after longer and longer waits, and its time is printed", async () => {
  const failed = { success: false, text: FAILED };
  const results = [failed, failed, { success: true, text: "+ npm:zod 4.6.7\n" }];
  assertEquals(await download(...results), {
    isComplete: true,
    commands: ["cache", "cache", "cache", "bundle"],
    waits: [1_000, 5_000],
    printed: ["Downloaded the packages in # s"],
  });
});

Deno.test("a download that fails four times ends with its error", async () => {
  const { isComplete, commands, printed } = await download(
    ...Array(4).fill({ success: false, text: `${FAILED}\n` }),
  );
  assertEquals([isComplete, commands.length], [false, 4]);
  assertEquals(printed, [`The packages could not be downloaded.\n${FAILED}`]);
});

Deno.test("a lock file that lacks a package is an error at once", async () => {
  const text = "error: The lockfile is out of date.";
  const { isComplete, commands, waits } = await download({ success: false, text });
  assertEquals([isComplete, commands, waits], [false, ["cache"], []]);
});
