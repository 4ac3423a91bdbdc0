/**
 * A second process that uses a KV file. It prints `ready`, waits for a line, runs its job and prints
 * results as JSON, one per line, each after its commit.
 *
 *     deno run -A append_process.ts <file> append <hash> <times>     concurrently; prints the seqs
 *     deno run -A append_process.ts <file> append-forever <hash>     prints each event until killed
 *     deno run -A append_process.ts <file> keys                      prints the key set
 */
import { printLine } from "../../../testing/print_line.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { createChains } from "../mod.ts";

const [path, job, hash, times] = Deno.args;
using kv = await openKv(path);
const chains = createChains({
  kv,
  clock: Date.now,
  publisher: "trust.example",
  signingKey: undefined,
});

async function append() {
  const { event } = (await chains.append(hash, "record_verified"))!;
  return event;
}

async function appendForever() {
  for (;;) printLine(await append());
}

const JOBS: Record<string, () => Promise<unknown>> = {
  "append": async () =>
    printLine((await Promise.all(Array.from({ length: +times }, append))).map(({ seq }) => seq)),
  "append-forever": () => Promise.all(Array.from({ length: 4 }, appendForever)),
  "keys": async () => printLine(await chains.keys()),
};

printLine("ready");
await Deno.stdin.read(new Uint8Array(1));
await JOBS[job]();
