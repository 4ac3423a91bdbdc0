/**
 * A process that withdraws a document. It prints `ready`, waits for a line, and stops before a certain
 * commit of the withdrawal: it prints `1` and waits to be killed.
 *
 *     deno run -A withdrawal_crash_child.ts <store> <mail API> <document> <number of the commit> <time>
 */
import { openKv } from "../lib/platform/kv/mod.ts";
import { type RaceKv, raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { createServices, type Services } from "../lib/app/services.ts";
import { crashConfig } from "./mail_crash_config.ts";

/** Withdraws a document, and stops before a certain commit that writes the row of the withdrawal. */
export async function withdrawUntil(
  { documents, mailer }: Services,
  kv: RaceKv,
  { document, commit, stop }: { document: string; commit: number; stop: () => Promise<void> },
): Promise<void> {
  function stopBefore(commits: number): void {
    kv.meanwhile("document_withdrawals", async () => {
      if (commits > 1) return stopBefore(commits - 1);
      await mailer.flush(); // so that mails of earlier commits were sent
      await stop();
    });
  }
  stopBefore(commit);
  await documents.withdraw(document, "Wrong", "admin@example.org");
}

if (import.meta.main) {
  const [path, mailApi, document, commit, time] = Deno.args;
  const kv = raceKv(await openKv(path));
  const services = createServices(crashConfig(path, mailApi), kv, { clock: () => Number(time) });
  const print = (value: unknown) =>
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));
  print("ready");
  await Deno.stdin.read(new Uint8Array(1));
  const waiting = Deno.stdin.read(new Uint8Array(1)); // keeps the process alive
  await withdrawUntil(services, kv, {
    document,
    commit: Number(commit),
    async stop() {
      print(1);
      await new Promise(() => {});
    },
  });
  await waiting;
}
