/**
 * A process that issues a document with an `Idempotency-Key`. It prints `ready`, waits for a line, and stops
 * before or after the commit that issues the document: it prints `1` and waits to be killed.
 *
 *     deno run -A issue_crash_child.ts <store> <mail API> <issuer> <before or after>
 */
import { openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { createServices } from "../lib/app/services.ts";
import { postDocument } from "./issue_crash_request.ts";
import { crashConfig } from "./mail_crash_config.ts";

const [path, mailApi, issuer, when] = Deno.args;
const kv = raceKv(await openKv(path));
const services = createServices(crashConfig(path, mailApi), kv, {});
const print = (value: unknown) =>
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));

async function stop(): Promise<never> {
  print(1);
  return await new Promise<never>(() => {});
}

print("ready");
await Deno.stdin.read(new Uint8Array(1));
const waiting = Deno.stdin.read(new Uint8Array(1)); // keeps the process alive
if (when === "before") kv.meanwhile("documents", stop);
const { issue } = services.issuing;
services.issuing.issue = async (...request) => {
  await issue(...request);
  return await stop();
};
await postDocument(services, issuer, when);
await waiting;
