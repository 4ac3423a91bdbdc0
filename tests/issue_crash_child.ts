/**
 * A process that issues a document with an `Idempotency-Key`. It prints `ready`, waits for a line, and stops
 * before or after the commit that issues the document: it prints `1` and waits to be killed.
 *
 *     deno run -A issue_crash_child.ts <store> <mail API> <issuer> <before or after>
 */
import { openKv } from "../lib/platform/kv/mod.ts";
import { type RaceKv, raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { createServices, type Services } from "../lib/app/services.ts";
import { postDocument } from "./issue_crash_request.ts";
import { crashConfig } from "./mail_crash_config.ts";

/** When a process stops, beside the commit that issues the document. */
export type When = "before" | "after";

/** Issues a document, and stops before or after the commit. */
export async function issueUntil(
  services: Services,
  kv: RaceKv,
  { issuer, when, stop }: { issuer: string; when: When; stop: () => Promise<void> },
): Promise<void> {
  const { issue } = services.issuerApi;
  if (when === "before") kv.meanwhile("documents", stop);
  else {
    services.issuerApi.issue = async (call) => {
      const response = await issue(call);
      await stop();
      return response;
    };
  }
  await postDocument(services, issuer, when);
}

if (import.meta.main) {
  const [path, mailApi, issuer, when] = Deno.args;
  const kv = raceKv(await openKv(path));
  const services = createServices(crashConfig(path, mailApi), kv, {});
  const print = (value: unknown) =>
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));
  print("ready");
  await Deno.stdin.read(new Uint8Array(1));
  const waiting = Deno.stdin.read(new Uint8Array(1)); // keeps the process alive
  await issueUntil(services, kv, {
    issuer,
    when: when as When,
    async stop() {
      print(1);
      await new Promise(() => {});
    },
  });
  await waiting;
}
