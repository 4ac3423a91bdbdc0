import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import {
  changeRecord,
  type NoticeKind,
  readRecord,
  type Undo,
} from "../lib/features/records/mod.ts";
import { HOLD_MS } from "../lib/features/documents/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { thiefSite } from "./thief_site.ts";

const READER = { network: "198.51.100.0/24", browser: "Firefox on Windows" };

/** Creates a holder with a confirmed number, and adds notices. */
async function undoFixture() {
  const fixture = await recordFixture();
  const { kv, records, contactIndex, mailer } = fixture.site.services;
  const holder = await fixture.holder();
  const commit = kv.atomic();
  const record = (await readRecord(kv, holder.hash))!;
  changeRecord(commit, record, { change: "mobile_confirmed" }, fixture.clock.now);
  await contactIndex.add(commit, "mobile", record.contact.value.record.mobile!, holder.hash);
  assert((await commit.commit()).ok);
  return {
    ...fixture,
    ...holder,
    /** Adds a notice and returns the mail and the path of its link. */
    async notify(kind: NoticeKind, undo: Undo) {
      const commit = kv.atomic();
      const record = (await readRecord(kv, holder.hash))!;
      const mails = await records.notices.add(
        commit,
        { record, kind, undo, reader: READER },
        fixture.clock.now,
      );
      assert((await commit.commit()).ok);
      mailer.send(mails);
      const [mail] = await fixture.mails();
      const { pathname, search, searchParams } = new URL(mail.link!);
      return { mail, path: pathname + search, token: searchParams.get("token")! };
    },
    press: (token: string) => fixture.fetch("/my-record/undo", { form: { token } }),
    find: async () => await contactIndex.find("mobile", "+61412345678"),
  };
}

Deno.test("a notice names the event, when and where it happened, and how to undo it", async () => {
  await using fixture = await undoFixture();
  const { mail } = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  assertEquals(mail.to, "ada.q@mail.example.org");
  assertStringIncludes(mail.subject, "A mobile number was confirmed for your record");
  assertStringIncludes(mail.text, "Where: Firefox on Windows, network 198.51.100.0/24");
  assertStringIncludes(mail.text, `Record: ${fixture.hash.slice(0, 8)}…`);
  assertStringIncludes(mail.text, "Stop the number from opening your record:\nhttp://trust.");
  assertFalse(mail.text.includes(fixture.hash), "the mail must not contain the whole hash");
});

Deno.test("opening the link changes nothing; the button undoes the event once and signs out", async () => {
  await using fixture = await undoFixture();
  const { records } = fixture.site.services;
  const { path, token } = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  for (const method of ["GET", "HEAD", "GET"]) {
    const response = await fixture.fetch(path, { method });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("referrer-policy"), "no-referrer");
    await response.body?.cancel();
  }
  assertEquals(await fixture.find(), [fixture.hash]);
  assert((await records.read(fixture.hash))!.row.mobile_confirmed_at !== null);

  const responses = await Promise.all(Array.from({ length: 5 }, () => fixture.press(token)));
  const statuses = responses.map(({ status }) => status).sort();
  assertEquals(statuses, [200, 410, 410, 410, 410]);
  const done = responses.find(({ status }) => status === 200)!;
  assertStringIncludes(await done.text(), "Codes sent to this number no longer open your record.");
  assertEquals(await fixture.find(), []);
  assertEquals((await records.read(fixture.hash))!.row.mobile_confirmed_at, null);
  assertEquals(await fixture.count("record_sessions"), 0);
  assertEquals(await fixture.count("record_sessions_by_record"), 0);
  const log = (await fixture.entries()).filter(({ key }) => key.startsWith('["access_log"'));
  assertEquals(log.filter(({ text }) => text.includes('"undone"')).length, 1);
});

Deno.test("undoing a sign-in by code also stops the number from signing in again", async () => {
  await using fixture = await undoFixture();
  const undo = { act: "end_session", session: "x" } as const;
  const { token } = await fixture.notify("signed_in_by_code", undo);
  assertEquals(await statusOf(fixture.press(token)), 200);
  assertEquals(await fixture.find(), []);
  assertEquals(await fixture.count("record_sessions"), 0);
});

Deno.test("undoing an event that was already undone says so, and still signs out", async () => {
  await using fixture = await undoFixture();
  const first = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  const second = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  assertEquals(await statusOf(fixture.press(first.token)), 200);
  await fixture.signIn([fixture.hash]);
  const response = await fixture.press(second.token);
  assertStringIncludes(await response.text(), "There was nothing left to undo");
  assertEquals(await fixture.count("record_sessions"), 0);
});

Deno.test("an expired link, a malformed one and one of a deleted record undo nothing", async () => {
  await using fixture = await undoFixture();
  const { token, path } = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  fixture.clock.now += 7 * DAY_MS;
  assertEquals(await statusOf(fixture.press(token)), 410);
  assertEquals(await statusOf(fixture.fetch(path)), 410);
  const completion = { token, act: "delete", digits: "678" };
  assertEquals(await statusOf(fixture.fetch("/my-record/undo", { form: completion })), 410);
  assertEquals(await fixture.find(), [fixture.hash]);
  assertEquals(await statusOf(fixture.press("x")), 404);
  assertEquals(await statusOf(fixture.press("A".repeat(43))), 404);
  assertEquals(await statusOf(fixture.fetch("/my-record/undo")), 400);
  await fixture.site.services.records.deletion.deleteRecord(fixture.hash);
  assertEquals(await statusOf(fixture.press(token)), 404);
});

Deno.test("a form from another site does not undo anything", async () => {
  await using fixture = await undoFixture();
  const { token } = await fixture.notify("mobile_confirmed", { act: "unconfirm_mobile" });
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const response = await fixture.fetch("/my-record/undo", { form: { token }, headers });
  assertEquals(await statusOf(response), 403);
  assertEquals(await fixture.find(), [fixture.hash]);
});

/** Lets the first listing of rows fail. */
function failOnce(kv: Deno.Kv, prefix: string): void {
  const list = kv.list.bind(kv);
  let failed = false;
  kv.list = ((selector: { prefix?: Deno.KvKey }, options?: Deno.KvListOptions) => {
    if (!failed && options?.limit === undefined && selector.prefix?.[0] === prefix) {
      failed = true;
      throw new Error("The process was stopped.");
    }
    return list(selector as Deno.KvListSelector, options);
  }) as typeof kv.list;
}

const SIGN_OUTS: [name: string, run: (site: Site) => Promise<unknown>][] = [
  ["an undo", async (site) => {
    const [{ link }] = await site.noticesToHolder();
    const token = new URL(link!).searchParams.get("token")!;
    return await statusOf(site.fetch("/my-record/undo", { form: { token } }));
  }],
  [
    "a requested deletion",
    (site) => site.site.services.records.deletion.request(site.owner.hash, READER),
  ],
  [
    "signing out everywhere",
    (site) => site.site.services.records.signOutEverywhere(site.owner.hash, READER),
  ],
];
type Site = Awaited<ReturnType<typeof thiefSite>>;

for (const [name, signOut] of SIGN_OUTS) {
  Deno.test(`the job finishes the sign-out of ${name} if it fails, and the other features end at once`, async () => {
    for (const prefix of ["record_sessions_by_record", "oauth_grants_by_record"]) {
      await using site = await thiefSite();
      const { records, oauth, push, jobs, kv, access } = site.site.services;
      for (const act of ["approve", "connectApp", "addDevice"] as const) {
        assert(await site.thief[act](0), act);
      }
      failOnce(kv, prefix);
      await signOut(site);
      assertEquals((await push.overview(site.owner.hash)).devices, [], prefix);
      assertEquals((await access.list(site.owner.hash))[0].state, "revoked");
      assertEquals(await site.count("record_sign_outs"), 1, prefix);
      await jobs.run("sign-outs");
      assertEquals(await site.count("record_sign_outs"), 0);
      assertEquals(await oauth.agents.list(site.owner.hash), []);
      const headers = { cookie: site.loot.cookies[0] };
      const request = new Request("http://trust.localhost/", { headers });
      assertEquals(await records.session(request, "trust"), null);
    }
  });
}

const MOVED: [act: "addPasskey" | "approve" | "share", prefix: string, subject: string][] = [
  ["addPasskey", "passkey_credentials_by_contact", "A passkey was added"],
  ["approve", "access_requests_by_record", "A request to read"],
  ["share", "document_shares_by_record", "A link to your document"],
];
for (const [act, prefix, subject] of MOVED) {
  Deno.test(`a link undoes ${act} although the move of a correction was interrupted`, async () => {
    await using site = await thiefSite();
    const { kv, access, jobs, mailer } = site.site.services;
    assert(await site.thief[act](0));
    site.clock.now += HOLD_MS;
    await mailer.drain();
    const list = kv.list.bind(kv);
    kv.list = ((selector: Deno.KvListSelector & { prefix?: Deno.KvKey }, options) => {
      const { prefix: [name, hash] = [] } = selector;
      if (name === prefix && hash === site.owner.hash) throw new Error("The process was stopped.");
      return list(selector, options);
    }) as typeof kv.list;
    await site.thief.correctName(0).catch(() => {});
    kv.list = list;
    const { hash } = await site.current();
    assert(hash !== site.owner.hash);
    assertEquals(await site.count("record_corrections"), 1, "the move is not finished");
    const mails = await site.noticesToHolder();
    const { link } = mails.find((mail) => mail.subject.startsWith(subject))!;
    const token = new URL(link!).searchParams.get("token")!;
    const response = await site.fetch("/my-record/undo", { form: { token } });
    assertFalse((await response.text()).includes("nothing left to undo"));
    await jobs.run("corrections");
    assertFalse(await site.thief.signInByPasskey(0));
    assertFalse((await access.list(hash)).some(({ state }) => state === "approved"));
    assertFalse(await site.thief.openShare(0));
  });
}
