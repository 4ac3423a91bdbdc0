import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../lib/base/time.ts";
import { createServices } from "../lib/app/services.ts";
import { type BatchLine, type BatchRow, STORING_MS } from "../lib/features/issuing/batches/mod.ts";
import type { Recipient } from "../lib/features/issuing/mod.ts";
import type { DocumentRow } from "../lib/features/documents/mod.ts";
import { CLAIM_MS } from "../lib/platform/jobs/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { dyingAfter, type Since, workOnBatches } from "./batches_crash_child.ts";
import { crashConfig } from "./mail_crash_config.ts";
import { startMortal } from "./mortal_process.ts";
import { serve } from "./site.ts";

/** More than one commit stores. */
const ROWS = 102;

/** After how many commits, at most, a process is killed, from its start or since it began to send and to undo. */
const MOMENTS = [
  ["start", 4], // it stores the rows
  ["finish", 2 * ROWS],
  ["start", 4 * ROWS],
  ["finish", 2 * ROWS],
] as const;

/** `BATCH_KILLS=30 deno task test tests/batches_crash_test.ts` takes about a minute. */
const KILLS = Number(Deno.env.get("BATCH_KILLS") ?? 4);

const random = (max: number) => 1 + Math.floor(Math.random() * max);

/** A mail provider that counts the mails to each address. */
function startProvider() {
  const mailed = new Map<string, number>();
  const server = serve(async (request) => {
    const mail = await request.json().catch(() => null);
    if (mail === null) return new Response(null, { status: 400 }); // its sender was killed
    mailed.set(mail.to, (mailed.get(mail.to) ?? 0) + 1);
    return new Response();
  });
  return {
    url: `http://127.0.0.1:${server.port}/send`,
    mailed,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

interface Run {
  path: string;
  mailApi: string;
  since: Since;
  commits: number;
}

/** Runs a process of its own, and returns whether it was killed. */
async function runChild({ path, mailApi, since, commits }: Run): Promise<boolean> {
  const script = new URL("./batches_crash_child.ts", import.meta.url).pathname;
  const flags = ["run", "-A", "--quiet", "--frozen", "--lock=dev.lock", script];
  const args = [...flags, path, mailApi, String(ROWS), since, String(commits)];
  const { code, signal } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (signal !== "SIGKILL") assertEquals(code, 0);
  return signal === "SIGKILL";
}

/** Does the same in this process. */
async function runHere({ path, mailApi, since, commits }: Run): Promise<boolean> {
  const mortal = dyingAfter(await openKv(path), since, commits);
  const process = startMortal({ path, mailApi, mortal, overrides: { issuePdf: null } });
  return await process.run(() => workOnBatches(process.services, ROWS, mortal.finish));
}

Deno.test(`${KILLS} kills while two batches of ${ROWS} rows are stored, issued, mailed and undone lose and double nothing`, async () => {
  await using store = await tempKv();
  await using provider = startProvider();
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const [since, most] = MOMENTS[kill % MOMENTS.length];
    const run = kill === 0 ? runChild : runHere;
    if (await run({ path: store.path, mailApi: provider.url, since, commits: random(most) })) {
      killed++;
    }
  }
  assert(killed > 0);
  await runHere({ path: store.path, mailApi: provider.url, since: "start", commits: Infinity });

  const clock = { ahead: 0 };
  const services = createServices(crashConfig(store.path, provider.url), await openKv(store.path), {
    clock: () => Date.now() + clock.ahead,
    issuePdf: null,
  });
  clock.ahead = Math.max(STORING_MS, CLAIM_MS);
  for (const job of ["batches", "mail"]) await services.jobs.run(job);
  clock.ahead += DAY_MS;
  await services.jobs.run("due");
  await services.close();

  const { kv } = store;
  const batches = await valuesOf<BatchRow>(kv, "issuing_batches");
  const outcomes = batches.map(({ file_name, state, issued, failed, sent, removed }) => [
    ...[file_name, state, issued, failed, sent, removed],
  ]);
  assertEquals(outcomes.sort(), [
    ["send", "done", ROWS, 0, ROWS, 0],
    ["undo", "undone", ROWS, 0, 0, ROWS],
  ]);
  assertEquals((await valuesOf<BatchLine>(kv, "issuing_batch_rows")).length, 2 * ROWS);
  const documents = await valuesOf<DocumentRow>(kv, "documents");
  const numbers = documents.map(({ external_id }) => Number(external_id)).sort((a, b) => a - b);
  assertEquals(numbers, Array.from({ length: ROWS }, (_, n) => n));
  const recipients = await valuesOf<Recipient>(kv, "recipients");
  assertEquals(recipients.map(({ mailed_at }) => mailed_at.length), Array(ROWS).fill(1));
  const addresses = Array.from({ length: ROWS }, (_, n) => `send-${n}@example.org`);
  assertEquals(new Set(recipients.map(({ email }) => email)), new Set(addresses));
  // A mail that was being sent when its process died is sent again, with the same id for the provider.
  assertEquals(new Set(provider.mailed.keys()), new Set(addresses));
  assert(Math.max(...provider.mailed.values()) <= 2);
  const blobs = new Set<unknown>();
  for await (const { key } of kv.list({ prefix: ["document_bytes"] })) blobs.add(key[1]);
  assertEquals(blobs, new Set(documents.map(({ versions: [{ original }] }) => original.blob)));
  for (const prefix of ["document_uploads", "outbox", "outbox_dead"]) {
    assertEquals(await valuesOf(kv, prefix), [], prefix);
  }
});
