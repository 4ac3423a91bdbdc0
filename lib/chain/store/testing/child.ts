/**
 * A second process on a KV file. It says `ready`, waits for a line, does its job and prints what
 * came of it, one JSON text a line, each only after its commit.
 *
 *     deno run -A child.ts <file> append <hash> <times>     all at once, then their seqs
 *     deno run -A child.ts <file> append-for-ever <hash>    each event, until it is killed
 *     deno run -A child.ts <file> keys                      the key set
 */
import { openKv } from "../../../kv/mod.ts";
import { createChains } from "../mod.ts";

const [path, job, hash, times] = Deno.args;
using kv = await openKv(path);
const chains = createChains({
  kv,
  clock: Date.now,
  publisher: "trust.example",
  signingKey: undefined,
});
const say = (value: unknown) =>
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));

async function append() {
  const { event } = (await chains.append(hash, "record_verified"))!;
  return event;
}

async function appendForEver() {
  for (;;) say(await append());
}

const JOBS: Record<string, () => Promise<unknown>> = {
  "append": async () =>
    say((await Promise.all(Array.from({ length: +times }, append))).map(({ seq }) => seq)),
  "append-for-ever": () => Promise.all(Array.from({ length: 4 }, appendForEver)),
  "keys": async () => say(await chains.keys()),
};

say("ready");
await Deno.stdin.read(new Uint8Array(1));
await JOBS[job]();
