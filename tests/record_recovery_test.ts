import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { RECOVERY_LINK_LIFETIME_MS } from "../lib/features/records/mod.ts";
import { readRecord, recordRows } from "../lib/features/records/record/store.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const NEW = "new.box@example.org";
const ADMIN = {
  by: "admin@example.org",
  note: "Passport, by video call.",
  reader: { network: "192.0.2.0/24", browser: "Firefox on Linux" },
};

/** A record whose recovery has been started. */
async function recoveryFixture() {
  const fixture = await recordFixture();
  const { site: { services }, clock } = fixture;
  const { hash, cookie } = await fixture.holder();
  const { records, jobs } = services;
  const started = await records.recoveries.start({ hash, newEmail: NEW, ...ADMIN });
  const mailsTo = async (address: string) =>
    (await fixture.mails()).filter(({ to }) => to === address);
  return {
    ...fixture,
    hash,
    cookie,
    started,
    records,
    mailsTo,
    /** Runs the job after a time. */
    async later(ms: number) {
      clock.now += ms;
      await jobs.run("recoveries");
    },
    /** Returns the token in the link to the new address. */
    async token() {
      const [mail] = await mailsTo(NEW);
      return new URL(mail.link!).searchParams.get("token")!;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("a recovery notifies the old address, and mails the new one a link after 72 hours", async () => {
  await using fixture = await recoveryFixture();
  const { hash, clock, started, records, mailsTo, later } = fixture;
  const dueAt = new Date(clock.now + 72 * HOUR_MS).toISOString();
  assertEquals(started, { ok: true, dueAt });
  const [notice] = await mailsTo("ada.q@mail.example.org");
  assert(notice.link!.includes("/my-record/undo?token="));
  assertFalse(notice.text.includes(NEW));

  await later(72 * HOUR_MS - 1);
  assertEquals((await mailsTo(NEW)).length, 0);
  for (let i = 0; i < 2; i++) await later(1);
  assertEquals((await mailsTo(NEW)).length, 1);
  assertEquals((await records.recoveries.read(hash))!.sent_at !== null, true);

  const token = await fixture.token();
  const page = await (await fixture.fetch(`/my-record/link?token=${token}`)).text();
  assertStringIncludes(page, `<code>${hash.slice(0, 8)}</code>`);
  assertFalse(page.includes("in another browser"));
  const signedIn = await fixture.fetch("/my-record/link", { form: { token } });
  assertEquals(signedIn.status, 303);
  const cookie = signedIn.headers.getSetCookie()[0].split(";")[0];
  const session = await records.session(
    new Request("http://trust.localhost/", { headers: { cookie } }),
    "trust",
  );
  assertEquals([session!.record, session!.choices], [hash, [hash]]);
  assert(Date.parse(session!.recent_until) > clock.now);
  assertEquals(await records.recoveries.read(hash), null);
  assertEquals(await statusOf(fixture.fetch("/my-record/link", { form: { token } })), 410);
});

Deno.test("the link of a recovery signs in on the trust surface only", async () => {
  await using fixture = await recoveryFixture();
  const { records, later } = fixture;
  await later(72 * HOUR_MS);
  const token = await fixture.token();
  const read = (surface: "workbench" | "trust") =>
    records.links.read(token, { surface, browser: null });
  assertEquals(await read("workbench"), { ok: false, error: "not_found" });
  assert((await read("trust")).ok);
});

Deno.test("the notice's link stops a recovery before its link is sent, and after", async () => {
  for (const wait of [HOUR_MS, 72 * HOUR_MS]) {
    await using fixture = await recoveryFixture();
    const [notice] = await fixture.mailsTo("ada.q@mail.example.org");
    await fixture.later(wait);
    const undo = new URL(notice.link!).searchParams.get("token")!;
    const sent = wait === HOUR_MS ? null : await fixture.token();
    assertEquals(await statusOf(fixture.fetch("/my-record/undo", { form: { token: undo } })), 200);
    assertEquals(await fixture.records.recoveries.read(fixture.hash), null);
    await fixture.later(72 * HOUR_MS);
    assertEquals((await fixture.mailsTo(NEW)).length, sent === null ? 0 : 1);
    if (sent === null) continue;
    const pressed = fixture.fetch("/my-record/link", { form: { token: sent } });
    assertEquals(await statusOf(pressed), 404);
  }
});

Deno.test("an administrator can cancel a recovery, and everything is in the access log", async () => {
  await using fixture = await recoveryFixture();
  const { hash, records } = fixture;
  assertEquals(await records.recoveries.cancel(hash, ADMIN.by, ADMIN.reader), true);
  assertEquals(await records.recoveries.cancel(hash, ADMIN.by, ADMIN.reader), false);
  await fixture.later(72 * HOUR_MS);
  assertEquals((await fixture.mailsTo(NEW)).length, 0);
  const again = await records.recoveries.start({ hash, newEmail: NEW, ...ADMIN });
  assert(again.ok);
  await fixture.later(72 * HOUR_MS);
  const log = (await fixture.entries()).filter(({ key }) => /^\["access_log",".*",/.test(key));
  const whats = log.map(({ text }) => /what: "(\w+)"/.exec(text)![1]);
  assertEquals(whats.filter((what) => what.startsWith("recovery")).sort(), [
    "recovery_cancelled",
    "recovery_sent",
    "recovery_started",
    "recovery_started",
  ]);
  assert(log.some(({ text }) => text.includes("for n•••@e•••.org")));
});

Deno.test("a recovery is refused for an unknown or unconfirmed record, and while one is open", async () => {
  await using fixture = await recoveryFixture();
  const { hash, records } = fixture;
  const unconfirmed = await fixture.register({ ...PERSON, email: "eve@example.org" });
  const start = async (hash: string) => {
    const result = await records.recoveries.start({ hash, newEmail: NEW, ...ADMIN });
    return result.ok ? "ok" : result.error;
  };
  assertEquals(await start("f".repeat(64)), "not_found");
  assertEquals(await start(unconfirmed), "unconfirmed");
  const starts = await Promise.all([start(hash), start(hash)]);
  assertEquals(starts, ["conflict", "conflict"]);
});

Deno.test("the new address is encrypted, and a deleted record leaves no recovery or link", async () => {
  await using fixture = await recoveryFixture();
  for (const { key, text } of await fixture.entries()) assertFalse((key + text).includes(NEW));
  await fixture.later(72 * HOUR_MS);
  const token = await fixture.token();
  await fixture.site.services.records.deletion.deleteRecord(fixture.hash);
  const left = [
    await fixture.count("record_recoveries"),
    await fixture.count("record_recovery_links"),
  ];
  assertEquals(left, [0, 0]);
  assertEquals(await statusOf(fixture.fetch(`/my-record/link?token=${token}`)), 404);
});

Deno.test("the link to the new address expires after seven days", async () => {
  await using fixture = await recoveryFixture();
  await fixture.later(72 * HOUR_MS);
  const token = await fixture.token();
  const open = () => statusOf(fixture.fetch(`/my-record/link?token=${token}`));
  fixture.clock.now += RECOVERY_LINK_LIFETIME_MS - 1;
  assertEquals(await open(), 200);
  fixture.clock.now += 1;
  assertEquals(await open(), 410);
});

Deno.test("while a correction moves everything to the new record, the link of a recovery is not sent", async () => {
  await using fixture = await recoveryFixture();
  const { hash, mailsTo, later } = fixture;
  const { kv } = fixture.site.services;
  const next = await fixture.holder({ ...PERSON, email: "next@mail.example.org" });
  const replace = async (replaced_by: string | null) => {
    const { entry, row } = (await readRecord(kv, hash))!;
    const commit = kv.atomic();
    recordRows.replace(commit, entry, { ...row, replaced_by });
    assert((await commit.commit()).ok);
  };
  await replace(next.hash);
  await later(72 * HOUR_MS);
  assertEquals((await mailsTo(NEW)).length, 0);
  await replace(null);
  await later(1);
  assertEquals((await mailsTo(NEW)).length, 1);
});
