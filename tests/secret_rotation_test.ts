import { assert, assertEquals, assertRejects } from "@std/assert";
import { exportStore } from "../lib/features/store/export.ts";
import { importStore, linesOf } from "../lib/features/store/import.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import { ConfigError } from "../lib/platform/config/error.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { personKey, personText, saveRequest } from "../lib/features/documents/access/requests.ts";
import {
  deviceId,
  openTarget,
  readDevice,
  saveDevice,
  sealTarget,
} from "../lib/features/push/rows.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { type RecordFixture, recordFixture } from "./record_site.ts";

const [A, B, C] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));

type Secret = typeof A;

/** Processes of the site that share a store on disk and a clock. */
async function processes() {
  const store = await tempKv();
  const started: RecordFixture[] = [];
  const clock = { now: Date.now() };
  return {
    clock,
    path: store.path,
    /** Starts a process with secrets, the current one first. */
    async start(appSecrets: Secret[], secretsGivenUp: string[] = []) {
      const kv = await openKv(store.path);
      const fixture = await recordFixture({}, {
        kv,
        configure: (config) => ({ ...config, appSecrets, secretsGivenUp }),
      });
      Object.defineProperty(fixture.clock, "now", {
        get: () => clock.now,
        set: (now: number) => void (clock.now = now),
      });
      started.push(fixture);
      await fixture.site.services.migrate();
      return fixture;
    },
    async [Symbol.asyncDispose]() {
      for (const fixture of started) await fixture[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const personOf = (n: number) => ({
  ...PERSON,
  email: `person${n}@example.org`,
  mobile: { country: "AU", number: `0412 345 67${n}` },
});

/** Runs the job until it has nothing more to do or waits. Returns its summary. */
async function work({ site: { services } }: RecordFixture): Promise<string | null> {
  const run = await services.jobs.run("store");
  assertEquals(run?.outcome, "done", run?.detail ?? "");
  return run!.detail;
}

const refused = (attempt: Promise<unknown>) =>
  assertRejects(() => attempt, ConfigError, "should also contain the secret");

/** Returns the persons whose record is found by the address, and how many rows there are. */
async function found({ site: { services } }: RecordFixture, ...persons: number[]) {
  const { kv, contactIndex } = services;
  const counts = await Promise.all(
    persons.map(async (n) =>
      (await contactIndex.find("email", personOf(n).email)).length +
      (await contactIndex.find("unconfirmed_email", personOf(n).email)).length
    ),
  );
  const prefixes = ["contacts_by_email", "contacts_by_unconfirmed_email"];
  const rows = await Promise.all(
    prefixes.map((prefix) => Array.fromAsync(kv.list({ prefix: [prefix] }))),
  );
  return { found: persons.filter((_, i) => counts[i] === 1), rows: rows.flat().length };
}

const shownOf = async ({ site: { services } }: RecordFixture) =>
  (await services.storeWork.state()).current!;

Deno.test("while the secret is replaced, both find records; the old one can go a day after the rows were written again", async () => {
  await using site = await processes();
  const { clock } = site;
  const before = await site.start([A]);
  await before.holder(personOf(1));
  const a = await shownOf(before);
  await refused(site.start([B]));

  const after = await site.start([B, A]);
  assertEquals(await found(after, 1), { found: [1], rows: 1 });
  await after.holder(personOf(2));
  assertEquals(await work(after), "waits for processes with another secret");

  // The old process is still running, and writes.
  clock.now += MINUTE_MS;
  await before.site.services.storeWork.report();
  await before.register(personOf(3));
  assertEquals(await work(after), "waits for processes with another secret");
  const { older, steps } = await after.site.services.storeWork.state();
  assertEquals(older, [{ id: a, unusedFrom: null, written: true }]);
  const label = "addresses and numbers of records";
  assertEquals(steps.find((step) => step.label === label), { label, share: 0, incomplete: false });
  assertEquals(await after.site.services.storeWork.isComplete("contacts"), true);
  assertEquals(await found(after, 1, 2, 3), { found: [1, 2, 3], rows: 3 });
  await refused(site.start([B]));

  clock.now += MINUTE_MS + SECOND_MS;
  assert(await work(after) !== null);
  const done = await after.site.services.storeWork.state();
  const unusedFrom = new Date(clock.now + DAY_MS).toISOString();
  assertEquals([done.older, done.steps], [[{ id: a, unusedFrom, written: false }], []]);
  await refused(site.start([B]));
  clock.now += DAY_MS;
  const last = await site.start([B]);
  assertEquals(await found(last, 1, 2, 3), { found: [1, 2, 3], rows: 3 });
  assertEquals((await last.site.services.storeWork.state()).older, []);
});

Deno.test("rows that a process wrote with the old secret after the work are written again before that can go", async () => {
  await using site = await processes();
  const { clock } = site;
  const before = await site.start([A]);
  await before.holder(personOf(1));
  const after = await site.start([B, A]);
  clock.now += MINUTE_MS;
  await work(after);
  // The process was stopped for some minutes, and goes on.
  clock.now += 10 * MINUTE_MS;
  await before.site.services.storeWork.report();
  await before.holder(personOf(2));
  await work(after);
  const { older: [{ unusedFrom }] } = await after.site.services.storeWork.state();
  assertEquals(unusedFrom, null);
  clock.now += DAY_MS;
  await refused(site.start([B]));
  await work(after);
  clock.now += DAY_MS;
  const last = await site.start([B]);
  assertEquals(await found(last, 1, 2), { found: [1, 2], rows: 2 });
});

Deno.test("a third secret while the second one is not everywhere: the first two are needed until all is written with the third", async () => {
  await using site = await processes();
  const { clock } = site;
  await (await site.start([A])).holder(personOf(1));
  await (await site.start([B, A])).holder(personOf(2));
  await refused(site.start([C, B]));
  const third = await site.start([C, B, A]);
  await third.holder(personOf(3));
  assertEquals(await found(third, 1, 2, 3), { found: [1, 2, 3], rows: 3 });
  clock.now += MINUTE_MS;
  await work(third);
  clock.now += DAY_MS;
  const last = await site.start([C]);
  assertEquals(await found(last, 1, 2, 3), { found: [1, 2, 3], rows: 3 });
});

Deno.test("the configuration is rolled back: refused without the new secret, otherwise the old one is written again", async () => {
  await using site = await processes();
  const { clock } = site;
  await (await site.start([A])).holder(personOf(1));
  const forward = await site.start([B, A]);
  await forward.holder(personOf(2));
  clock.now += MINUTE_MS;
  await work(forward);
  await refused(site.start([A]));
  const back = await site.start([A, B]);
  clock.now += MINUTE_MS;
  await work(back);
  clock.now += DAY_MS;
  const last = await site.start([A]);
  assertEquals(await found(last, 1, 2), { found: [1, 2], rows: 2 });
});

Deno.test("a store that was exported in the middle of the work is written again from the beginning after the import", async () => {
  await using site = await processes();
  const { clock } = site;
  await (await site.start([A])).holder(personOf(1));
  const during = await site.start([B, A]);
  await during.holder(personOf(2));
  // As if the export had read this row after the work, and the index before it.
  const { kv } = during.site.services;
  const format = (await kv.get<{ secrets: { older: object[] } }>(["format"])).value!;
  const older = format.secrets.older.map((each) => ({
    ...each,
    unused_from: "2000-01-01T00:00:00Z",
  }));
  await kv.set(["format"], { ...format, secrets: { ...format.secrets, older }, work: undefined });
  const parts: Uint8Array[] = [];
  const { tables } = during.site.services;
  const options = { kv, kvPath: undefined, clock: () => clock.now, tables };
  await exportStore(
    { ...options, path: null, trustHost: "elsewhere.example", revision: null },
    (bytes) => Promise.resolve(void parts.push(bytes)),
  );
  await using other = await processes();
  const target = await openKv(other.path);
  const lines = linesOf(ReadableStream.from(parts));
  assertEquals((await importStore({ ...options, kv: target }, lines)).ok, true);
  target.close();
  await refused(other.start([B]));
  const imported = await other.start([B, A]);
  other.clock.now += MINUTE_MS;
  await work(imported);
  other.clock.now += DAY_MS;
  assertEquals(await found(await other.start([B]), 1, 2), { found: [1, 2], rows: 2 });
});

Deno.test("the secret is lost: the site starts if it is given up, and indexes the records again meanwhile", async () => {
  await using site = await processes();
  const before = await site.start([A]);
  await before.holder(personOf(1));
  const a = await shownOf(before);
  await refused(site.start([B], ["12345678"]));
  const after = await site.start([B], [a]);
  const { storeWork } = after.site.services;
  assertEquals((await found(after, 1)).found, []);
  assertEquals(await storeWork.isComplete("contacts"), false);
  assertEquals((await storeWork.state()).steps[0].incomplete, true);
  await work(after);
  assertEquals((await found(after, 1)).found, [1]);
  assertEquals(await storeWork.isComplete("contacts"), true);
  await site.start([B]);
});

Deno.test("the secret is lost: nothing of it remains in the indexes, and nothing of a record that is deleted then", async () => {
  await using site = await processes();
  const before = await site.start([A]);
  const { hash } = await before.holder(personOf(1));
  const { kv } = before.site.services;
  const rowsOf = async () => {
    const keys = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
    return keys.filter(([table, , ...rest]) =>
      String(table).startsWith("contacts_by_") && rest.includes(hash)
    ).map((key) => key.join("/"));
  };
  const old = new Set((await rowsOf()).filter((key) => /email|mobile|word/.test(key)));
  assert(old.size > 3);
  const after = await site.start([B], [await shownOf(before)]);
  await work(after);
  const rows = await rowsOf();
  assertEquals(rows.filter((key) => old.has(key)), []);
  assertEquals(rows.filter((key) => /email|mobile|word/.test(key)).length, old.size);
  await after.site.services.records.deletion.deleteRecord(hash);
  assertEquals(await rowsOf(), []);
});

Deno.test("a correction that waits when the secret is replaced is found with neither, and with the new one once it is in force", async () => {
  await using site = await processes();
  const before = await site.start([A]);
  const { cookie } = await before.holder(personOf(1));
  const { name, organisation, enquiry_type, message } = PERSON;
  const form = { name, organisation, enquiry_type, message, email: personOf(2).email };
  const corrected = await before.fetch("/my-record/correct", { cookie, form });
  assertEquals([corrected.status, corrected.headers.get("location")], [303, "/my-record/correct"]);
  const after = await site.start([B], [await shownOf(before)]);
  await work(after);
  assertEquals(await found(after, 1, 2), { found: [1], rows: 1 });
  const link = (await before.mails()).find(({ to }) => to === personOf(2).email)!.link!;
  const token = new URL(link).searchParams.get("token")!;
  assertEquals(await statusOf(after.fetch("/confirm", { form: { token } })), 200);
  assertEquals((await found(after, 1, 2)).found, [2]);
});

Deno.test("the secret has leaked: a process that still has it does not do the work of those that gave it up", async () => {
  await using site = await processes();
  const before = await site.start([A]);
  await before.holder(personOf(1));
  const after = await site.start([B], [await shownOf(before)]);
  assertEquals(await work(before), "waits for processes with another secret");
  await work(after);
  assertEquals((await found(after, 1)).found, [1]);
});

Deno.test("rows that were encrypted or signed with the old secret are read without it afterwards: a mail, a device, a recovery, a request for access", async () => {
  await using site = await processes();
  const { clock } = site;
  const before = await site.start([A]);
  const { hash } = await before.holder(personOf(1));
  const { kv, clock: time, mailer, records, secrets } = before.site.services;
  const mail = {
    sender: "foundation",
    to: "ada@example.org",
    subject: "Held",
    text: "x",
    html: "x",
  } as const;
  const target = { platform: "ios", token: "token-1", environment: "production" } as const;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  const by = { by: "admin@example.org", note: "by phone", reader };
  const person = { name: "Ada", email: "ada@example.org", reason: "" };
  const request = {
    ...{ id: "r1", document: "d1", record: hash, organisation: "commercial", person } as const,
    ...{ state: "requested", requested_at: "", confirmed_at: null, decided_at: null } as const,
    ...{ decided_by: null, decision_reason: null, ends_at: null, links: [], share: null },
    mac: await secrets.sign("access-request", personText(person.email, "d1")),
    expires_at: new Date(clock.now + 5 * DAY_MS).toISOString(),
  };
  const commit = kv.atomic();
  const times = { expiresAt: clock.now + 5 * DAY_MS, holdMs: 2 * DAY_MS };
  await mailer.add(commit, mail, { ...times, about: "user/7", kind: "sign_in" });
  saveRequest(commit, request, time());
  saveDevice(commit, {
    ...{ id: deviceId(target), contact_hash: hash, platform: "ios", name: "Phone" } as const,
    ...{ token: await sealTarget(secrets, target), created_at: 0, last_seen: 0, failures: 0 },
    ...{ session: null, session_expires_at: 0, retry_at: 0, failed_message: null },
  });
  await commit.commit();
  const started = await records.recoveries.start({ hash, newEmail: "new@example.org", ...by });
  assertEquals(started.ok, true);

  const after = await site.start([B, A]);
  clock.now += MINUTE_MS;
  await work(after);
  clock.now += DAY_MS;
  const last = await site.start([B]);
  const { services } = last.site;
  const { id, token } = (await readDevice(kv, { id: deviceId(target), platform: "ios" })).value!;
  assertEquals(await openTarget(services.secrets, { id, token }), target);
  const text = personText(person.email, "d1");
  const [mac] = await services.secrets.signatures("access-request", text);
  assertEquals((await kv.get(personKey("d1", mac))).value, "r1");
  assertEquals((await kv.get(personKey("d1", request.mac))).value, null);
  clock.now += 3 * DAY_MS;
  await services.mailer.drain();
  await services.jobs.run("recoveries");
  await services.mailer.flush();
  const sent = (await last.mails()).map(({ to }) => to);
  assertEquals(
    sent.includes("ada@example.org") && sent.includes("new@example.org"),
    true,
    `${sent}`,
  );
});
