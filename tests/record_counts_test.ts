import { assertEquals } from "@std/assert";
import {
  readMonths,
  readRegistrations,
  readTotals,
  type StoredContact,
} from "../lib/features/contact/mod.ts";
import {
  ADMINISTRATOR,
  changeRecord,
  checkIdentity,
  type ConditionChange,
  listRecords,
  readRecord,
  type RecordRow,
} from "../lib/features/records/mod.ts";
import { createRecordOverview } from "../lib/features/records/lists/overview.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const ORIGIN = "https://partner.example";

async function countsFixture() {
  const fixture = await recordFixture({ CONTACT_ORIGINS: ORIGIN });
  fixture.clock.now = Date.parse("2026-03-01T09:00:00.000Z");
  const { kv, surfaces } = fixture.site.services;
  const rows = async <Row>(prefix: string) =>
    (await Array.fromAsync(kv.list<Row>({ prefix: [prefix] }))).map(({ key, value }) => ({
      hash: String(key[1]),
      value,
    }));
  return {
    ...fixture,
    kv,
    async registerFrom(origin: string | null, person: Record<string, unknown> = {}) {
      const headers: Record<string, string> = origin === null ? {} : { origin };
      const response = await fixture.send({ ...PERSON, ...person }, { headers });
      return (await response.json()).hash as string;
    },
    origin: (name: "investor" | "foundation") => new URL(surfaces.url(name)!).origin,
    async change(hash: string, change: ConditionChange) {
      const commit = kv.atomic();
      changeRecord(commit, (await readRecord(kv, hash))!, { change }, fixture.clock.now);
      await commit.commit();
    },
    read: (organisation: "commercial" | "foundation" = "commercial") =>
      readRegistrations(kv, organisation, MARCH),
    totals: async () => await readTotals(kv, "commercial"),
    /** Counts the stored records. */
    async recount() {
      const contacts = (await rows<StoredContact>("contacts"))
        .filter(({ value }) => value.organisation === "commercial");
      const levels = { 1: 0, 2: 0, 3: 0, 4: 0 };
      const stored = new Map(
        (await rows<RecordRow>("records")).map(({ hash, value }) => [hash, value]),
      );
      const waiting = new Set([...stored.values()].map(({ correction }) => correction?.to));
      for (const { hash } of contacts) {
        const row = stored.get(hash);
        if (row?.replaced_by || waiting.has(hash)) continue;
        levels[row?.level ?? 1]++;
      }
      const isFirst = ({ hash }: { hash: string }) => !stored.get(hash)?.replaces;
      return { registrations: contacts.filter(isFirst).length, levels };
    },
  };
}

const MARCH = { from: "2026-03-01", to: "2026-03-31" };

Deno.test("registrations are counted by day, type and site, for each organisation", async () => {
  await using fixture = await countsFixture();
  await fixture.registerFrom(fixture.origin("investor"));
  await fixture.registerFrom(fixture.origin("investor"));
  await fixture.registerFrom(ORIGIN, { enquiry_type: "Technical" });
  await fixture.registerFrom(fixture.origin("foundation"));
  fixture.clock.now += DAY_MS;
  const hash = await fixture.registerFrom(null);
  assertEquals(await fixture.read(), [
    { day: "2026-03-01", type: "Investor", site: "investor", count: 2 },
    { day: "2026-03-01", type: "Technical", site: "partner.example", count: 1 },
    { day: "2026-03-02", type: "Investor", site: "none", count: 1 },
  ]);
  assertEquals(await fixture.read("foundation"), [
    { day: "2026-03-01", type: "Investor", site: "foundation", count: 1 },
  ]);
  assertEquals((await fixture.totals()).registrations, 4);
  const days = ["2026-02-20", "2026-03-01", "2026-03-02", "2026-03-20"];
  const months = async () =>
    (await readMonths(fixture.kv, "commercial", days))
      .map(({ all, until }) => `${until} of ${all}`);
  assertEquals(await months(), ["0 of 0", "3 of 4", "4 of 4", "4 of 4"]);
  await fixture.site.services.records.deletion.deleteRecord(hash);
  assertEquals((await fixture.read()).length, 2);
  assertEquals(await months(), ["0 of 0", "3 of 3", "3 of 3", "3 of 3"]);
  assertEquals(await fixture.totals(), await fixture.recount());
});

Deno.test("an idempotent retry is counted once, and a filled honeypot not at all", async () => {
  await using fixture = await countsFixture();
  const headers = { "idempotency-key": "a-key" };
  for (let i = 0; i < 2; i++) await statusOf(fixture.send(PERSON, { headers }));
  await statusOf(fixture.send({ ...PERSON, fax_extension: "1" }));
  assertEquals(await fixture.totals(), {
    registrations: 1,
    levels: { 1: 1, 2: 0, 3: 0, 4: 0 },
  });
});

Deno.test("the counters match the stored records after every change, correction and deletion", async () => {
  await using fixture = await countsFixture();
  const { records } = fixture.site.services;
  const reader = ADMINISTRATOR;
  const days = ["2026-03-01"];
  const { kv, site: { services: { clock, contactIndex: index } } } = fixture;
  const otherProcess = createRecordOverview({ kv, clock, index });
  const check = async (levels: number[]) => {
    const totals = await fixture.totals();
    assertEquals(totals, await fixture.recount());
    // Another process, which has kept what it read before the change, shows the change.
    const overview = await otherProcess("commercial");
    assertEquals(overview.totals, totals);
    assertEquals(await overview.months(days), await readMonths(kv, "commercial", days));
    const { records: newest } = await listRecords({ kv, index }, "commercial", { limit: 5 });
    assertEquals(
      (await overview.newest()).map(({ hash, name, level }) => [hash, name, level]),
      newest.map(({ hash, row, contact: { value } }) => [hash, value.record.name, row.level]),
    );
    assertEquals(Object.values(totals.levels), levels);
  };
  await check([0, 0, 0, 0]);
  const other = await fixture.register({ ...PERSON, email: "other@mail.example.org" });
  await check([1, 0, 0, 0]);
  const { hash } = await fixture.holder();
  await check([2, 0, 0, 0]);
  await records.declare(hash, "I intend this record for a grant.", reader);
  await check([1, 1, 0, 0]);
  await fixture.change(hash, "passkey_added");
  await check([1, 0, 1, 0]);
  await checkIdentity(fixture.site.services, { hash, by: "admin@example.org", note: "passport" });
  await check([1, 0, 0, 1]);

  // A correction of the address is counted once it is in force.
  const { record } = (await records.read(hash))!.contact.value;
  const started = await records.correction.start(
    hash,
    { ...record, email: "new@mail.example.org" },
    reader,
  );
  const { to } = started as { to: string };
  await check([1, 0, 0, 1]);
  await fixture.change(to, "passkey_added");
  await check([1, 0, 0, 1]);
  await records.correction.withdraw(to, reader);
  await check([1, 0, 0, 1]);

  // A correction of the name is in force at once, and undone by the link in the notice.
  await records.correction.start(hash, { ...record, name: "Ada Corrected" }, reader);
  await check([1, 0, 1, 0]);
  const mail = (await fixture.mails()).find(({ subject }) => subject.includes("correction"))!;
  const undone = await records.undo(new URL(mail.link!).searchParams.get("token")!, reader);
  assertEquals(undone.ok, true);
  await check([1, 0, 0, 1]);

  const again = await records.correction.start(hash, { ...record, name: "Ada Again" }, reader);
  await check([1, 0, 1, 0]);
  assertEquals(await records.deletion.deleteRecord((again as { to: string }).to), {
    ok: true,
    deleted: 2,
  });
  await check([1, 0, 0, 0]);
  await records.deletion.deleteRecord(other);
  await check([0, 0, 0, 0]);
  assertEquals(await fixture.read(), []);
});
