/**
 * A second process that runs the job of the log on a KV file. It prints `ready`, waits for a line, and
 * then adds entries and runs the job again and again. It prints the names of entries once they are
 * committed.
 *
 *     deno run -A log_process.ts <file> <prefix>
 */
import { printLine } from "../../../testing/print_line.ts";
import { SECOND_MS } from "../../../base/time.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { createLogJob } from "../log_job.ts";
import { createFileAnchor } from "../store/anchor.ts";
import { openLogKeys } from "../store/keys.ts";
import { createPublisher } from "../store/publish.ts";
import { addEntries, ORIGIN } from "./fixtures.ts";

const [path, prefix] = Deno.args;
using kv = await openKv(path);

/** Each call is 3 seconds later, so that every run adds one batch and then publishes, on a busy machine too. */
let seconds = 0;

const job = createLogJob({
  kv,
  monotonic: () => (seconds += 3) * SECOND_MS,
  begin: () => Promise.resolve(null),
  complete: () => Promise.resolve(),
  publisher: createPublisher({
    kv,
    clock: Date.now,
    origin: ORIGIN,
    signers: () => openLogKeys(kv, [], ORIGIN),
    witnesses: () => Promise.resolve([]),
    anchor: createFileAnchor(`${path}.anchor`),
    log: (entry) => console.error(JSON.stringify(entry)),
  }),
});

async function add() {
  for (let i = 0;; i++) {
    const names = Array.from({ length: 20 }, (_, j) => `${prefix} ${i} ${j}`);
    await addEntries(kv, names, { now: Date.now() }).catch((error) => {
      if (!String(error).includes("locked")) throw error;
      names.length = 0;
    });
    printLine(names);
  }
}

async function run() {
  const context = { cursor: null, signal: new AbortController().signal, save: async () => {} };
  for (;;) {
    await job.run(context).catch((error) => {
      if (!String(error).includes("locked")) throw error;
    });
  }
}

printLine("ready");
await Deno.stdin.read(new Uint8Array(1));
await Promise.all([add(), run()]);
