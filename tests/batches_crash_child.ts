/**
 * A process that adds two batches, unless they exist, sends the first one once its documents are issued, and
 * undoes the second one. It kills itself after a number of commits, which it counts from its start, or from
 * when it begins to send and to undo.
 *
 *     deno run -A batches_crash_child.ts <store> <mail API> <rows of each batch> <start|finish> <commits>
 */
import { batchDefaults, isFinished } from "../lib/features/issuing/batches/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createServices } from "../lib/app/services.ts";
import { crashConfig } from "./mail_crash_config.ts";

const [path, mailApi, rows, since, commits] = Deno.args;
const kv = await openKv(path);
let counts = since === "start";
let left = Number(commits);

const { atomic } = kv;
kv.atomic = () => {
  const commit = atomic.call(kv);
  const send = commit.commit.bind(commit);
  commit.commit = async () => {
    const result = await send();
    // SIGKILL, so that no handler runs and nothing is flushed.
    if (counts && --left === 0) Deno.kill(Deno.pid, "SIGKILL");
    return result;
  };
  return commit;
};
const { batches, issuers, mailer, close } = createServices(crashConfig(path, mailApi), kv, {
  issuePdf: null, // issued copies take most of the time, and have a test of their own
});

const issuer = (await issuers.read("commercial", "commercial"))!;
const owner = { issuer, test: false };

async function add(name: string): Promise<void> {
  const lines = Array.from(
    { length: Number(rows) },
    (_, n) => `Student ${n},${name}-${n}@example.org,${n},Certificate III,2026-11-20`,
  );
  const file = ["name,email,external_id,title,date", ...lines].join("\n");
  const checked = await batches.check(issuer, new Blob([file]).stream(), batchDefaults.parse({}));
  if (!checked.ok) throw new Error(checked.message);
  await batches.add(owner, { name, by: "key k1", rows: checked.rows });
}

const signal = new AbortController().signal;
const known = (await batches.list(owner)).map(({ file_name }) => file_name);
for (const name of ["send", "undo"]) if (!known.includes(name)) await add(name);
while (true) {
  const list = await batches.list(owner);
  if (list.every(isFinished)) break;
  counts ||= !list.some(({ state }) => state === "issuing");
  for (const { id, state, file_name, by } of list) {
    if (state !== "holding") continue;
    if (file_name === "send") await batches.send(owner, id, by);
    else await batches.cancel(owner, id, by);
  }
  await batches.job.run({ cursor: null, signal, save: () => Promise.resolve() });
}
await mailer.flush();
await close();
