import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { FEATURES } from "../lib/app/features.ts";
import type { AnyFeature, Services } from "../lib/app/services.ts";
import { readEventCounts } from "../lib/features/chain/store/mod.ts";
import { createAlerts } from "../lib/features/alerts/mod.ts";
import { createAuditLog } from "../lib/features/audit/mod.ts";
import { readDays } from "../lib/features/payments/days.ts";
import type { PaymentUpdate } from "../lib/features/payments/event.ts";
import { listPayments } from "../lib/features/payments/list.ts";
import type { PaymentQuery } from "../lib/features/payments/mod.ts";
import { PAYMENT_LIFETIME_MS } from "../lib/features/payments/rows.ts";
import { applyUpdate } from "../lib/features/payments/store.ts";
import { ConfigError } from "../lib/platform/config/error.ts";
import {
  contactTimes,
  createContactIndex,
  readTotals,
  type StoredContact,
} from "../lib/features/contact/mod.ts";
import { createStoreWork, migrate, type Migration, runBeside } from "../lib/platform/store/mod.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { FORMAT, openKv } from "../lib/platform/kv/mod.ts";
import { scheduleTimeout } from "../lib/base/schedule.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { type ListQuery, listRecords, type RecordRow } from "../lib/features/records/mod.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const SECRET = new Uint8Array(32);
const NEW_SECRET = new Uint8Array(32).fill(1);

const ADA = "ada@example.org";

const hashOf = (i: number) => i.toString(16).padStart(64, "0");

/** A contact as it was stored before records had holders. */
const contactOf = (i: number, confirmed: boolean) => ({
  record: { name: "Ada", email: `ada${i}@example.org`, mobile: "+61412345678" },
  salt: "0".repeat(64),
  registered_at: "2026-03-01T09:30:00.000Z",
  confirmed_at: confirmed ? "2026-03-01T09:31:00.000Z" : null,
  confirmation: "x",
});

/** Opens the parts of a store with one or more secrets, the current one first. */
function partsOf(kv: Deno.Kv, ...given: Uint8Array<ArrayBuffer>[]) {
  const secrets = createSecrets({ kv, given });
  const index = createContactIndex({ kv, secrets });
  const all: Migration[] = [];
  const options = { kv, secrets, clock: Date.now, schedule: scheduleTimeout, log: () => {} };
  const storeWork = createStoreWork({ ...options, migrations: () => all });
  const config = { organisations: { foundation: { name: "F" }, commercial: { name: "C" } } };
  const services = { kv, secrets, contactIndex: index, clock: Date.now, storeWork, config };
  all.push(
    ...FEATURES.flatMap((feature: AnyFeature) =>
      feature.migrations?.(services as unknown as Services) ?? []
    ),
  );
  return {
    kv,
    secrets,
    index,
    migrations: all.sort((a, b) => (a.format ?? 0) - (b.format ?? 0)),
  };
}

/** Migrates a store, and then does what runs beside the site. Returns the number of rows of each. */
async function migrateAll(parts: ReturnType<typeof partsOf>): Promise<[number, number]> {
  const before = await migrate(parts);
  const options = { ...parts, schedule: scheduleTimeout, log: () => {}, pause: async () => {} };
  const later = () => Date.now() + MINUTE_MS; // when other processes have noticed another secret
  const migrations = () => parts.migrations;
  const work = { ...options, clock: later, migrations };
  const { rows } = await runBeside(work, new AbortController().signal);
  return [before, rows];
}

/** Makes a migrated store one of an earlier format. */
async function storeFormat({ kv, secrets }: ReturnType<typeof partsOf>, version: number) {
  const [index] = await secrets.signatures("contact-index", "current");
  await kv.set(["format"], { version, index, cursor: null });
}

/** The number of migrations that index each record: its address, its lists, its enquiry. */
const EACH = 3;

const rows = (kv: Deno.Kv, prefix: string) => Array.fromAsync(kv.list({ prefix: [prefix] }));
const format = async (kv: Deno.Kv) =>
  (await kv.get<{ version: number; cursor: string | null }>(["format"])).value;

Deno.test("a holder whose record is in the old format signs in with a link after the migration", async () => {
  await using fixture = await recordFixture();
  const { hash } = await fixture.holder();
  const { kv, migrate, mailer, contactIndex: index } = fixture.site.services;
  const { value } = await kv.get<StoredContact>(["contacts", hash]);
  const { organisation: _, declarations: __, ...old } = value!;
  await kv.set(["contacts", hash], old);
  for (const prefix of ["contacts_by_email", "contacts_by_time", "records", "format"]) {
    for (const { key } of await rows(kv, prefix)) await kv.delete(key);
  }
  const ask = async () => {
    const before = (await fixture.mails()).length;
    await fixture.fetch("/my-record/sign-in", { json: { email: PERSON.email } });
    await mailer.flush();
    return (await fixture.mails()).length - before;
  };
  assertEquals(await ask(), 0);
  assertEquals(await migrate(), EACH + 1); // and the sizes of its chain
  assertEquals(await ask(), 1);
  const [{ link }] = await fixture.mails();
  const form = { token: new URL(link!).searchParams.get("token")! };
  const signedIn = await fixture.fetch("/my-record/link", { form });
  const cookie = signedIn.headers.getSetCookie()[0].split(";")[0];
  const page = await (await fixture.fetch("/my-record", { cookie })).text();
  assertStringIncludes(page, hash);
  assertStringIncludes(page, "Attest Systems"); // older contacts belong to the commercial organisation
  assertEquals((await listRecords({ kv, index }, "commercial")).records.length, 1);
  assertEquals(await migrate(), 0);
});

Deno.test("addresses and confirmed numbers of current records are indexed, unconfirmed addresses apart", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const row = (change: Partial<RecordRow>) => ({
    level: 1,
    replaces: null,
    replaced_by: null,
    mobile_confirmed_at: null,
    ...change,
  });
  await kv.set(["contacts", hashOf(1)], contactOf(1, true));
  await kv.set(["contacts", hashOf(2)], contactOf(2, false));
  await kv.set(["contacts", hashOf(3)], contactOf(3, true));
  await kv.set(["records", hashOf(3)], row({ mobile_confirmed_at: "2026-03-01T09:30:00.000Z" }));
  await kv.set(["contacts", hashOf(4)], contactOf(4, true));
  await kv.set(["records", hashOf(4)], row({ replaced_by: hashOf(3) }));
  await kv.set(["contacts", hashOf(5)], contactOf(5, true));
  const correction = { to: hashOf(6), at: "2026-03-01T09:30:00.000Z" };
  await kv.set(["records", hashOf(5)], row({ correction }));
  await kv.set(["contacts", hashOf(6)], contactOf(6, true));
  await kv.set(["records", hashOf(6)], row({ replaces: hashOf(5) }));
  await kv.set(["contacts", hashOf(7)], contactOf(7, false));
  await kv.set(["records", hashOf(7)], row({ replaced_by: hashOf(3) }));
  assertEquals(await migrate(parts), 7 * EACH);
  const found = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((i) => parts.index.find("email", `ada${i}@example.org`)),
  );
  assertEquals(found, [[hashOf(1)], [], [hashOf(3)], [], [hashOf(5)], []]);
  assertEquals(await parts.index.find("mobile", "+61412345678"), [hashOf(3)]);
  const unconfirmed = await rows(kv, "contacts_by_unconfirmed_email");
  assertEquals(unconfirmed.map(({ key }) => key[2]), [hashOf(2)]);
});

Deno.test("a migration continues after the last saved contact, and is done once", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  for (let i = 0; i < 250; i++) await kv.set(["contacts", hashOf(i)], contactOf(i, true));
  const add = parts.index.add;
  let left = 130;
  parts.index.add = (...args) => left-- > 0 ? add(...args) : Promise.reject(new Error("killed"));
  await assertRejects(() => migrate(parts), Error, "killed");
  assertEquals((await format(kv))!.cursor, hashOf(99));
  parts.index.add = add;
  let waited = 0;
  const clock = () => Date.now() + waited;
  const pause = (ms: number) => Promise.resolve(void (waited += 100 * ms));
  assertEquals(await migrate({ ...parts, clock, pause }), 250 * EACH - 100);
  assert(waited > 0, "the lease of the killed process has not expired");
  assertEquals((await rows(kv, "contacts_by_email")).length, 250);
  assertEquals((await format(kv))!.cursor, null);
  assertEquals(await migrate(parts), 0);
});

Deno.test("of two processes that migrate at the same time, one indexes and the other waits until it is done", async () => {
  await using store = await tempKv();
  using kv = await openKv(store.path);
  using other = await openKv(store.path);
  for (let i = 0; i < 120; i++) await kv.set(["contacts", hashOf(i)], contactOf(i, true));
  const counts = await Promise.all([
    migrate(partsOf(kv, SECRET)),
    migrate(partsOf(other, SECRET)),
  ]);
  assertEquals(counts.sort(), [0, 120 * EACH]);
  assertEquals((await rows(kv, "contacts_by_email")).length, 120);
  assertEquals((await rows(kv, "format")).length, 0);
  assertEquals((await format(kv))!.cursor, null);
});

Deno.test("a process that lost the lease of the migration stops", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  for (let i = 0; i < 120; i++) await kv.set(["contacts", hashOf(i)], contactOf(i, true));
  const { add } = parts.index;
  let calls = 0;
  parts.index.add = async (...args) => {
    if (++calls === 50) await kv.set(["format", "lease"], { expires_at: "2099-01-01T00:00:00Z" });
    await add(...args);
  };
  await assertRejects(() => migrate(parts), Error, "taken over");
  assertEquals(await format(kv), null);
});

Deno.test("after APP_SECRET was replaced, records are indexed beside the site and found without the old secret", async () => {
  using kv = await openKv(":memory:");
  await kv.set(["contacts", hashOf(1)], contactOf(1, true));
  await migrate(partsOf(kv, SECRET));
  assertEquals(await migrate(partsOf(kv, SECRET, NEW_SECRET)), 0, "only added");
  assertEquals(await migrateAll(partsOf(kv, NEW_SECRET, SECRET)), [0, 1]);
  const { index } = partsOf(kv, NEW_SECRET);
  assertEquals(await index.find("email", "ada1@example.org"), [hashOf(1)]);
  assertEquals((await rows(kv, "contacts_by_email")).length, 1);
});

Deno.test("the site and its commands refuse a store of a newer version", async () => {
  await using store = await tempKv();
  {
    using kv = await openKv(store.path);
    await kv.set(["format"], { version: FORMAT + 1 });
    await assertRejects(() => migrate(partsOf(kv, SECRET)), ConfigError, "KV_PATH: was written");
  }
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--frozen",
      "--lock=deno.lock",
      "lib/app/commands/contact_delete.ts",
      hashOf(1),
    ],
    env: { KV_PATH: store.path },
  }).output();
  assertEquals(code, 2);
  assertStringIncludes(new TextDecoder().decode(stderr), "KV_PATH: was written by a newer version");
});

Deno.test("records from before they were counted are counted once, and only those in force by level", async () => {
  using kv = await openKv(":memory:");
  const row = (change: Partial<RecordRow>) => ({
    level: 1,
    replaces: null,
    replaced_by: null,
    mobile_confirmed_at: null,
    ...change,
  });
  for (let i = 1; i <= 4; i++) await kv.set(["contacts", hashOf(i)], contactOf(i, true));
  await kv.set(["records", hashOf(2)], row({ level: 3 }));
  await kv.set(["records", hashOf(3)], row({ level: 2, replaced_by: hashOf(4) }));
  await kv.set(["records", hashOf(4)], row({ level: 2, replaces: hashOf(3) }));
  const expected = { registrations: 3, levels: { 1: 1, 2: 1, 3: 1, 4: 0 } };
  assertEquals(await migrate(partsOf(kv, SECRET)), 4 * EACH);
  assertEquals(await readTotals(kv, "commercial"), expected);
  // Another secret indexes every record again, and counts none twice.
  assertEquals(await migrateAll(partsOf(kv, NEW_SECRET, SECRET)), [0, 4]);
  assertEquals(await readTotals(kv, "commercial"), expected);
});

Deno.test("a record that another process counts at the same time is not counted again", async () => {
  using kv = raceKv(await openKv(":memory:"));
  const contact = contactOf(1, true);
  await kv.set(["contacts", hashOf(1)], contact);
  const key = contactTimes.key("commercial", contact.registered_at, hashOf(1));
  kv.meanwhile("contacts_by_time", () => kv.set(key, { counted: true }));
  assertEquals(await migrate(partsOf(kv, SECRET)), EACH);
  assertEquals((await readTotals(kv, "commercial")).registrations, 0);
});

Deno.test("a commit of the migration indexes three contacts", async () => {
  using kv = await openKv(":memory:");
  const { migrations, ...parts } = partsOf(kv, SECRET);
  for (let i = 0; i < 9; i++) await kv.set(["contacts", hashOf(i)], contactOf(i, true));
  let commits = 0;
  const { atomic } = kv;
  kv.atomic = () => (commits++, atomic.call(kv));
  const contacts = migrations.filter(({ name }) => name === "contacts");
  assertEquals(await migrate({ ...parts, migrations: contacts }), 9);
  assertEquals(commits, 5); // the first takes the lease, and the last saves the progress
});

/** Replaces counters that are derived from rows by wrong ones, as in a store of format 2. */
async function forgetCounters(kv: Deno.Kv): Promise<void> {
  await kv.set(["record_counts", "commercial", "days", "2026-03-01"], new Deno.KvU64(9n));
  await kv.set(["stats", "chain_events", "hash_generated"], new Deno.KvU64(1n));
  const { value } = await kv.get<{ index?: string; secrets?: { current: string } }>(["format"]);
  const index = value!.index ?? value!.secrets!.current;
  await kv.set(["format"], { version: 2, index, cursor: null });
}

/** Adds chains with two events each. */
async function addRows(kv: Deno.Kv, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await kv.atomic()
      .set(["chain_events", hashOf(i), 0], { kind: "hash_generated" })
      .set(["chain_events", hashOf(i), 1], { kind: "email_confirmed" })
      .commit();
  }
}

Deno.test("events of a store of format 2 are counted once, and its records not again", async () => {
  using kv = await openKv(":memory:");
  await kv.set(["contacts", hashOf(1)], contactOf(1, true));
  await migrate(partsOf(kv, SECRET));
  await addRows(kv, 20);
  await forgetCounters(kv);
  assertEquals(await migrate(partsOf(kv, SECRET)), 0);
  const counted = await readCounters(kv);
  const { hash_generated, email_confirmed, record_verified } = await readEventCounts(kv);
  assertEquals([hash_generated, email_confirmed, record_verified], [20, 20, 0]);
  assertEquals(counted.get("record_counts,commercial,days,2026-03-01"), 1n);
  assertEquals(counted.get("record_counts,commercial,months,2026-03"), 1n);
  assertEquals(await format(kv), { ...await format(kv), version: FORMAT, cursor: null });
  // A new secret indexes the records again, and counts nothing.
  assertEquals(await migrateAll(partsOf(kv, NEW_SECRET, SECRET)), [0, EACH]);
  assertEquals(await readCounters(kv), counted);
});

const readCounters = async (kv: Deno.Kv) => {
  const prefixes = ["stats", "record_counts"];
  const found = await Promise.all(prefixes.map((prefix) => rows(kv, prefix)));
  return new Map(
    found.flat().map(({ key, value }) => [key.join(), (value as Deno.KvU64).value]),
  );
};

Deno.test("a process that dies while it counts leaves counters that another one completes", async () => {
  using kv = await openKv(":memory:");
  await migrate(partsOf(kv, SECRET));
  await addRows(kv, 20);
  const limits = { rows: 7, counters: 900 };
  await forgetCounters(kv);
  await migrate({ ...partsOf(kv, SECRET), limits });
  const expected = await readCounters(kv);
  assertEquals(expected.get("stats,chain_events,email_confirmed"), 20n);
  assertEquals(expected.has("record_counts,commercial,days,2026-03-01"), false);
  const commits = (left: number) => {
    const { atomic } = kv;
    kv.atomic = () => {
      if (left-- === 0) throw new Error("killed");
      return atomic.call(kv);
    };
    return () => void (kv.atomic = atomic);
  };
  // The first commit takes the lease.
  for (let before = 1; before < 12; before++) {
    await forgetCounters(kv);
    const restore = commits(before);
    await migrate({ ...partsOf(kv, SECRET), limits }).catch(() => {});
    restore();
    await kv.delete(["format", "lease"]);
    await migrate({ ...partsOf(kv, SECRET), limits });
    assertEquals(await readCounters(kv), expected, `${before} commits`);
  }
});

/** Adds counters of payments as formats 3 and 4 have them, with the format of the store. */
async function addPaymentTotals(kv: Deno.Kv, months: number, format: Record<string, unknown>) {
  for (let i = 0; i < months; i++) {
    const month = new Date(Date.UTC(1990, i)).toISOString().slice(0, 7);
    const prefix = ["payment_totals", "commercial", month, "USD", "succeeded"];
    await kv.atomic()
      .sum([...prefix, "count"], 1n)
      .sum([...prefix, "received"], 12_500n)
      .sum([...prefix, "refunded"], 0n)
      .commit();
  }
  await kv.set(["format"], {
    cursor: null,
    ...(await kv.get<object>(["format"])).value,
    ...format,
  });
}

for (
  const [state, change] of [
    ["of format 4", { version: 4 }],
    ["of format 3 whose payments are being counted", {
      version: 3,
      steps: ["payments", "events", "days"],
      cursor: '["payments","commercial","2026-01-01T00:00:00.000Z","p1"]',
    }],
  ] as const
) {
  Deno.test(`the counters of payments are deleted from a store ${state}, and nothing else is`, async () => {
    using kv = await openKv(":memory:");
    await migrate(partsOf(kv, SECRET));
    await addRows(kv, 5);
    const created_at = "2026-01-01T00:00:00.000Z";
    const expires_at = "2033-01-01T00:00:00.000Z";
    const payment = {
      ...{ id: "p1", created_at, expires_at, state: "succeeded" },
      ...{ amount: 12_500, currency: "USD", refunded: 0 },
    };
    await kv.set(["payments", "commercial", created_at, "p1"], payment);
    await addPaymentTotals(kv, 400, change);
    assertEquals((await rows(kv, "payment_totals")).length, 1_200);
    await migrateAll(partsOf(kv, SECRET));
    assertEquals(await rows(kv, "payment_totals"), []);
    assertEquals((await rows(kv, "payments")).map(({ value }) => value), [payment]);
    assertEquals((await rows(kv, "chain_events")).length, 10);
    const { version, cursor } = (await format(kv))!;
    assertEquals([version, cursor], [FORMAT, null]);
  });
}

Deno.test("records of format 6 are listed by filters and found by words after the migration, those in force", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const row = {
    level: 1,
    counted: 1,
    replaces: null,
    replaced_by: null,
    mobile_confirmed_at: null,
  };
  for (let i = 0; i < 45; i++) {
    const contact = { ...contactOf(i, i % 2 === 0), organisation: "commercial" };
    await kv.set(["contacts", hashOf(i)], contact);
    const key = ["contacts_by_time", "commercial", contact.registered_at, hashOf(i)];
    await kv.set(key, { counted: true });
    if (i % 5 === 0) await kv.set(["records", hashOf(i)], { ...row, level: 3 });
  }
  await kv.set(["records", hashOf(4)], { ...row, counted: null, replaced_by: hashOf(5) });
  await storeFormat(parts, 6);
  assertEquals((await migrateAll(parts))[0], 0, "the index of addresses is not made again");
  const find = async (query: ListQuery) =>
    (await listRecords(parts, "commercial", { ...query, limit: 50 })).records
      .map(({ hash }) => Number.parseInt(hash, 16)).sort((a, b) => a - b);
  const all = Array.from({ length: 45 }, (_, i) => i);
  assertEquals(await find({ level: 3 }), all.filter((i) => i % 5 === 0));
  assertEquals(await find({ level: 1, confirmed: false }), all.filter((i) => i % 5 && i % 2));
  assertEquals(await find({ type: "none", confirmed: true }), all.filter((i) => i % 2 === 0));
  assertEquals(await find({ text: "ada" }), all.filter((i) => i !== 4), "4 was corrected");

  // Another secret makes the index of words again.
  await migrateAll(partsOf(kv, NEW_SECRET, SECRET));
  const later = partsOf(kv, NEW_SECRET);
  const found = await listRecords(later, "commercial", { text: "ada", limit: 50 });
  assertEquals(found.records.length, 44);
  assertEquals((await rows(kv, "contacts_by_word")).length, 88, "the old fingerprints are gone");
});

Deno.test("entries of the audit log of format 6 are found by their action after the migration", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const audit = createAuditLog({ ...parts, clock: Date.now });
  const at = (i: number) => new Date(Date.now() - i * 1_000).toISOString();
  for (let i = 0; i < 600; i++) {
    const action = i % 100 === 0 ? "user_deleted" : "sign_in";
    const entry = { id: `${i}`, at: at(i), by: "a@example.org", action, object: {}, detail: null };
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await kv.set(["audit", "commercial", entry.at, entry.id], { ...entry, expires_at });
  }
  await storeFormat(parts, 6);
  await migrateAll(parts);
  const { entries } = await audit.list("commercial", { action: "user_deleted" });
  assertEquals(entries.map(({ id }) => id), ["0", "100", "200", "300", "400", "500"]);
});

Deno.test("entries of the audit log of format 7 are found by their operator after the migration", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const audit = createAuditLog({ ...parts, clock: Date.now });
  for (let i = 0; i < 600; i++) {
    const at = new Date(Date.now() - i * 1_000).toISOString();
    const [by, action] = i % 100 === 0 ? ["bob@example.org", "user_deleted"] : [ADA, "sign_in"];
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const entry = { id: `${i}`, at, by, action, object: {}, detail: null, expires_at };
    await kv.set(["audit", "commercial", at, entry.id], entry);
    await kv.set(["audit_by_action", action, "commercial", at, entry.id], null);
  }
  await storeFormat(parts, 7);
  await migrateAll(parts);
  const person = await audit.personKey("bob@example.org");
  const { entries } = await audit.list("commercial", { person });
  assertEquals(entries.map(({ id }) => id), ["0", "100", "200", "300", "400", "500"]);
  assertEquals((await rows(kv, "audit_by_person")).length, 1_200);
  assertEquals((await rows(kv, "audit_people")).length, 2);
});

Deno.test("alerts of format 7 are listed by state and kind after the migration, also those that change meanwhile", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const kinds = { mail_failed: "Mail", chain_failed: "Chain" };
  let indexed = false;
  const isIndexed = () => Promise.resolve(indexed);
  const alerts = createAlerts({ kv, clock: Date.now, alertKinds: kinds, isIndexed });
  const times: string[] = [];
  for (let i = 0; i < 300; i++) {
    const at = new Date(Date.now() - i * 1_000).toISOString();
    const kind = i % 50 === 0 ? "chain_failed" : "mail_failed";
    const state = i % 3 === 0 ? "done" : "read";
    const alert = {
      ...{ id: `${i}`, organisation: "commercial", kind, problem: `p${i}`, state, by: ADA },
      ...{ changed_at: at, at, first_at: at, count: 1, reports: [{ at, links: {}, details: {} }] },
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    times.push(at);
    await kv.set(["alerts", "commercial", at, alert.id], alert);
    if (state === "done") continue;
    const { id, expires_at } = alert;
    await kv.set(["alerts_open", "commercial", kind, alert.problem], { at, id, expires_at });
  }
  // A row from before alerts counted reports.
  const first = new Date(Date.now() - DAY_MS).toISOString();
  await kv.set(["alerts", "commercial", first, "old"], {
    ...{ id: "old", organisation: "commercial", kind: "chain_failed", state: "read", by: ADA },
    ...{ at: first, links: {}, expires_at: new Date(Date.now() + 60_000).toISOString() },
  });
  const ids = async (query: Parameters<typeof alerts.list>[1]) =>
    (await alerts.list("commercial", { limit: 1_000, ...query })).alerts.map(({ id }) => id);
  const chains = ["50", "100", "200", "250", "old"];
  assertEquals(await ids({ kind: "chain_failed", state: "open" }), chains, "before it is indexed");
  await storeFormat(parts, 7);

  // While a batch is indexed, an administrator marks one of its alerts as done.
  const ref = { organisation: "commercial", at: times[50], id: "50" } as const;
  const racing = raceKv(kv);
  racing.meanwhile("alerts_by_filter", () => alerts.setState(ref, "done", ADA));
  await migrateAll(partsOf(racing, SECRET));
  indexed = true;
  assertEquals(await ids({ kind: "chain_failed", state: "open" }), ["100", "200", "250", "old"]);
  assertEquals(await ids({ kind: "chain_failed", state: "done" }), ["0", "50", "150"]);
  assertEquals((await ids({ state: "done" })).length, 101);
  assertEquals((await ids({ state: "read" })).length, 200);
  assertEquals((await ids({ kind: "chain_failed" })).length, 7);
  assertEquals((await rows(kv, "alerts_open")).length, 199, "the open ones do not change");
});

Deno.test("payments of format 7 are in totals and found by currency and amount after the migration, also those that change meanwhile", async () => {
  using kv = await openKv(":memory:");
  const parts = partsOf(kv, SECRET);
  const now = Date.parse("2026-03-15T12:00:00Z");
  const version = { at: new Date(now).toISOString(), event: "old" };
  for (let i = 0; i < 700; i++) {
    const created_at = new Date(now - (i % 90) * DAY_MS).toISOString();
    const payment = {
      ...{ id: `p${i}`, amount: 100 + i, currency: i % 7 ? "USD" : "JPY", state: "pending" },
      ...{ refunded: 0, created_at, description: null, record: null, payer: null, type: "payment" },
      set_by: { state: version, refunded: null, details: null, payer: null },
      expires_at: new Date(Date.parse(created_at) + PAYMENT_LIFETIME_MS).toISOString(),
    };
    await kv.set(["payments", "commercial", created_at, payment.id], payment);
    await kv.set(["payments_by_id", "commercial", payment.id], created_at);
    await kv.set(["payments_by_status", "pending", "commercial", created_at, payment.id], null);
  }
  await storeFormat(parts, 7);

  const racing = raceKv(kv);
  const update = (payment: string, change: Partial<PaymentUpdate>) => () =>
    applyUpdate(kv, "commercial", {
      ...{ event: `new ${payment}`, type: "payment", at: new Date(now + 1).toISOString(), payment },
      ...{ amount: 5_000, currency: "EUR", state: "succeeded", description: null, record: null },
      ...{ payer: null, refunded: null, created_at: new Date(now - 5 * DAY_MS).toISOString() },
      ...change,
    }, now);
  racing.meanwhile("payments_by_amount", update("p95", {}));
  racing.meanwhile("payment_days", update("p5", { amount: 6_000 }));
  racing.meanwhile("payment_days_changed", update("p6", {}));
  await migrateAll(partsOf(racing, SECRET));
  const days = await readDays(kv, "commercial", now);
  const list = (query: Partial<PaymentQuery>) =>
    listPayments(kv, "commercial", { page: 1, ...query }, now, days);
  const counts = (await list({})).totals.map(({ currency, count }) => [currency, count]);
  assertEquals(counts, [["USD", 597], ["JPY", 100], ["EUR", 3]]);
  assertEquals((await list({})).totals[2].received, 16_000);
  const idsOf = async (query: Partial<PaymentQuery>) =>
    (await list(query)).payments.map(({ id }) => id).sort();
  assertEquals(await idsOf({ currency: "EUR" }), ["p5", "p6", "p95"]);
  assertEquals(await idsOf({ min: 50, max: 60 }), ["p5", "p6", "p95"]);
  assertEquals(await idsOf({ min: 1.95, max: 1.96 }), ["p96"], "p95 has another amount now");
});

Deno.test("rows of format 6 are found by their owner after the migration, and deleted with it", async () => {
  await using fixture = await recordFixture();
  const { kv, migrate } = fixture.site.services;
  const { hash } = await fixture.holder();
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  const sealed = new Uint8Array(8);
  const times = { attempts: 1, created_at: expires_at, about: `contact/${hash}`, expires_at };
  const written: [Deno.KvKey, unknown][] = [
    [["outbox", "mail", Date.now() + 50_000, "1"], { ...times, sealed, sending: false }],
    [["outbox_dead", "mail", "2"], { ...times, reason: "rejected", failed_at: expires_at }],
    [["record_links", "token"], {
      ...{ token: "token", surface: "trust", choices: [hash], browser: "b", used: 0, expires_at },
    }],
    [["document_withdrawals", "d"], {
      ...{ document: "d", version: 1, record: hash, by: "a@example.org", last: null },
    }],
  ];
  for (const [key, value] of written) await kv.set(key, value, { expireIn: 60_000 });
  await migrate(); // stores the format
  const { value: format } = await kv.get<object>(["format"]);
  await kv.set(["format"], { ...format, version: 6 });
  await kv.delete(["record_links_by_record", hash, "token"]);
  await kv.delete(["document_withdrawals_by_record", hash, "d"]);
  await kv.delete(["outbox_dead_by_owner", `contact/${hash}`, "mail", "2"]);
  for await (const { key } of kv.list({ prefix: ["outbox_by_owner"] })) await kv.delete(key);
  await migrate();
  assertEquals(await fixture.site.services.records.deletion.deleteRecord(hash), {
    ok: true,
    deleted: 1,
  });
  for (const [key] of written) assertEquals((await kv.get(key)).value, null, String(key[0]));
});
