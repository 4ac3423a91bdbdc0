/**
 * A second process on a KV file. It prints `ready`, waits for a line, and prints its results as lines
 * of JSON.
 *
 *     deno run -A child.ts <file> count <times>   runs a counting job until it has run this often
 *     deno run -A child.ts <file> save <cursor>   saves a cursor and waits until it is killed
 */
import { printLine } from "../../../testing/print_line.ts";
import { openKv } from "../../kv/mod.ts";
import { createJobs } from "../mod.ts";

const [path, task, argument] = Deno.args;
using kv = await openKv(path);
const jobs = createJobs({ kv, clock: Date.now, log: console.error });

jobs.register({
  name: "count",
  everyMs: 1,
  maxMs: 60_000,
  async run() {
    // Not atomic, so concurrent runs would lose counts.
    const { value } = await kv.get<number>(["counted"]);
    await kv.get(["other"]);
    await kv.set(["counted"], (value ?? 0) + 1);
  },
});
jobs.register({
  name: "save",
  everyMs: 1,
  maxMs: 60_000,
  async run({ save }) {
    await save(argument);
    printLine("saved");
    await Deno.stdin.read(new Uint8Array(1));
  },
});

printLine("ready");
await Deno.stdin.read(new Uint8Array(1));
if (task === "save") await jobs.run("save");
let done = 0;
while (task === "count" && done < Number(argument)) {
  if ((await jobs.run("count"))?.outcome === "done") done++;
  // Otherwise the processes would spend most of their time on failed attempts.
  else await new Promise((resolve) => setTimeout(resolve, 1));
}
printLine(done);
