import { assertEquals } from "@std/assert";
import { createServices } from "../lib/app/services.ts";
import type { DocumentRow } from "../lib/features/documents/mod.ts";
import { LEASE_MS, REPLAYED } from "../lib/features/issuing/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { issueUntil, type When } from "./issue_crash_child.ts";
import { postDocument } from "./issue_crash_request.ts";
import { crashConfig } from "./mail_crash_config.ts";
import { startMortal } from "./mortal_process.ts";
import { serve } from "./site.ts";

interface Kill {
  path: string;
  mailApi: string;
  issuer: string;
  when: When;
}

/** Kills a process of its own. */
async function killChild({ path, mailApi, issuer, when }: Kill): Promise<void> {
  const script = import.meta.resolve("./issue_crash_child.ts");
  await using child = await spawnChild(script, path, mailApi, issuer, when);
  await child.go();
  assertEquals(await child.next(), 1);
  child.kill();
}

/** Does the same in this process. */
async function killHere({ path, mailApi, issuer, when }: Kill): Promise<void> {
  const mortal = mortalKv(await openKv(path));
  const kv = raceKv(mortal.kv);
  const process = startMortal({ path, mailApi, mortal, kv });
  const stop = () => Promise.resolve(mortal.die());
  const work = () => issueUntil(process.services, kv, { issuer, when, stop });
  assertEquals(await process.run(work), true);
}

Deno.test("a process that dies before or after it issues a document leaves one document and one mail after a retry", async () => {
  await using store = await tempKv();
  const mailed: string[] = [];
  await using provider = serve(async (request) => {
    const mail = await request.json().catch(() => null);
    if (mail !== null) mailed.push(mail.to);
    return new Response();
  });
  const mailApi = `http://127.0.0.1:${provider.port}/send`;
  let now = Date.now();
  const services = createServices(crashConfig(store.path, mailApi), await openKv(store.path), {
    clock: () => now,
  });
  const added = await services.issuers.add({
    organisation: "commercial",
    name: "Harbour College",
    by: "admin@example.org",
  });
  if (!added.ok) throw new Error(added.error);
  const { id } = added.issuer;
  await killChild({ path: store.path, mailApi, issuer: id, when: "before" });
  await killHere({ path: store.path, mailApi, issuer: id, when: "after" });
  const versions = async () =>
    (await valuesOf<DocumentRow>(store.kv, "documents")).map((row) => row.versions.length);
  assertEquals(await versions(), [1]);
  const retry = async (when: string) => {
    const response = await postDocument(services, id, when).catch(({ status, code }) => ({
      status: status as number,
      headers: new Headers(),
      text: () => Promise.resolve(code as string),
    }));
    return [response.status, response.headers.get(REPLAYED), await response.text()] as const;
  };
  now = Date.now() + LEASE_MS / 2;
  assertEquals(await retry("before"), [409, null, "idempotency_in_progress"]);
  const [status, replayed, saved] = await retry("after");
  assertEquals([status, replayed], [201, "true"]);
  now += LEASE_MS;
  const [again, fresh, text] = await retry("before");
  assertEquals([again, fresh], [201, null]);
  assertEquals(await retry("before"), [201, "true", text]);
  assertEquals(await retry("after"), [201, "true", saved]);
  assertEquals(await versions(), [1, 1]);
  await services.mailer.drain();
  await services.mailer.flush();
  assertEquals([...new Set(mailed)].sort(), ["after@example.org", "before@example.org"]);
  await services.close();
});
