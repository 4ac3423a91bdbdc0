/**
 * A process that works on two batches. It kills itself after a number of commits, which it counts from its start, or
 * from when it begins to send and to undo.
 *
 *     deno run -A batches_crash_child.ts <store> <mail API> <rows of each batch> <start|finish> <commits>
 */
import { batchDefaults, isFinished } from "../lib/features/issuing/batches/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { type MortalKv, mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { createServices, type Services } from "../lib/app/services.ts";
import { crashConfig } from "./mail_crash_config.ts";

/** From when a process counts its commits: its start, or when it begins to send and to undo. */
export type Since = "start" | "finish";

/** Returns a store whose process dies after a number of commits. */
export function dyingAfter(
  kv: Deno.Kv,
  since: Since,
  commits: number,
  onDeath: () => void = () => {},
): MortalKv & { finish(): void } {
  let counts = since === "start";
  let left = commits;
  const mortal = mortalKv(kv, () => {}, ({ name }) => {
    if (name !== "commit" || !counts || --left !== 0) return;
    mortal.die();
    onDeath();
  });
  return Object.assign(mortal, { finish: () => void (counts = true) });
}

/** Adds two batches, unless they exist, sends the first one once its documents are issued, and undoes the second one. */
export async function workOnBatches(
  { batches, issuers, mailer }: Services,
  rows: number,
  onFinish: () => void,
): Promise<void> {
  const issuer = (await issuers.read("commercial", "commercial"))!;
  const owner = { issuer, test: false };
  async function add(name: string): Promise<void> {
    const lines = Array.from(
      { length: rows },
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
    if (!list.some(({ state }) => state === "issuing")) onFinish();
    for (const { id, state, file_name, by } of list) {
      if (state !== "holding") continue;
      if (file_name === "send") await batches.send(owner, id, by);
      else await batches.cancel(owner, id, by);
    }
    await batches.job.run({ cursor: null, signal, save: () => Promise.resolve() });
  }
  await mailer.flush();
}

if (import.meta.main) {
  const [path, mailApi, rows, since, commits] = Deno.args;
  // SIGKILL, so that no handler runs and nothing is flushed.
  const kill = () => Deno.kill(Deno.pid, "SIGKILL");
  const mortal = dyingAfter(await openKv(path), since as Since, Number(commits), kill);
  const services = createServices(crashConfig(path, mailApi), mortal.kv, {
    issuePdf: null, // issued copies take most of the time, and have a test of their own
  });
  await workOnBatches(services, Number(rows), mortal.finish);
  await services.close();
}
