import { assertEquals } from "@std/assert";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { CLAIM_MS } from "../lib/platform/jobs/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { createServices } from "../lib/app/services.ts";
import { accessFixture } from "./access_site.ts";
import { statusOf } from "./contact_site.ts";
import { crashConfig } from "./mail_crash_config.ts";
import { startMortal } from "./mortal_process.ts";
import { serve } from "./site.ts";
import { withdrawUntil } from "./withdrawal_crash_child.ts";

/**
 * The commits before which a process is killed. The first one withdraws the document, each of the next
 * three ends a request, and the last one ends the withdrawal.
 */
const KILLED_BEFORE = [2, 4];

/** Creates a document with an open request and two that were approved, for each kill. */
async function createDocuments(path: string) {
  await using fixture = await accessFixture({}, { kv: await openKv(path) });
  const { owner, site: { services } } = fixture;
  const documents: string[] = [];
  const readers: string[] = [];
  for (const kill of KILLED_BEFORE) {
    const added = await services.documents.add(newDocument(owner.hash), bodyOf(`File ${kill}.`));
    const { document: { id: document } } = unwrap(added);
    documents.push(document);
    for (const name of ["first", "open", "last"]) {
      const email = `${name}-${kill}@mail.example.com`;
      fixture.clock.now += 1; // so that lists have an order
      await statusOf(fixture.ask({ email }, { document }));
      const [token] = await fixture.tokens("/d/request", email);
      assertEquals(await statusOf(fixture.fetch("/d/request", { form: { token } })), 200);
      if (name === "open") continue;
      const [{ id }] = await services.access.list(owner.hash);
      assertEquals(await statusOf(fixture.decide({ act: "approve", id })), 303);
      readers.push(email);
    }
  }
  await fixture.sendHeld();
  assertEquals((await services.alerts.overview("commercial")).unread, KILLED_BEFORE.length);
  return { documents, readers, now: fixture.clock.now };
}

interface Kill {
  path: string;
  mailApi: string;
  document: string;
  /** The commit of the withdrawal before which the process dies. */
  commit: number;
  now: number;
}

/** Kills a process of its own. */
async function killChild({ path, mailApi, document, commit, now }: Kill): Promise<void> {
  const script = import.meta.resolve("./withdrawal_crash_child.ts");
  const args = [path, mailApi, document, String(commit), String(now)];
  await using child = await spawnChild(script, ...args);
  await child.go();
  assertEquals(await child.next(), 1);
  child.kill();
}

/** Does the same in this process. */
async function killHere({ path, mailApi, document, commit, now }: Kill): Promise<void> {
  const mortal = mortalKv(await openKv(path));
  const kv = raceKv(mortal.kv);
  const process = startMortal({ path, mailApi, mortal, kv, overrides: { clock: () => now } });
  const died = await process.run(() =>
    withdrawUntil(process.services, kv, {
      document,
      commit,
      stop: () => Promise.resolve(mortal.die()),
    })
  );
  assertEquals(died, true);
}

Deno.test(`${KILLED_BEFORE.length} kills during withdrawals leave no alert open, and every reader is mailed once`, async () => {
  await using store = await tempKv();
  const { documents, readers, now } = await createDocuments(store.path);
  const mailed: string[] = [];
  await using provider = serve(async (request) => {
    const { to, subject } = await request.json();
    if (subject.includes("was withdrawn")) mailed.push(to);
    return new Response();
  });
  const mailApi = `http://127.0.0.1:${provider.port}/send`;
  for (const [i, commit] of KILLED_BEFORE.entries()) {
    const kill = i === 0 ? killChild : killHere;
    await kill({ path: store.path, mailApi, document: documents[i], commit, now });
  }
  assertEquals((await valuesOf(store.kv, "document_withdrawals")).length, KILLED_BEFORE.length);
  assertEquals(mailed, ["last-4@mail.example.com"]);

  const services = createServices(crashConfig(store.path, mailApi), await openKv(store.path), {
    clock: () => now + CLAIM_MS,
  });
  for (let runs = 0; runs < 2; runs++) {
    await services.jobs.run("withdrawals");
    await services.mailer.drain();
  }
  assertEquals(mailed.toSorted(), readers.toSorted());
  assertEquals((await services.alerts.overview("commercial")).unread, 0);
  assertEquals(await valuesOf(store.kv, "document_withdrawals"), []);
  await services.close();
});
