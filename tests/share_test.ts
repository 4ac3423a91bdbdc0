import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { moveLinks } from "../lib/features/documents/access/share_data.ts";
import { MAX_SHARES, SHARES_PER_DAY } from "../lib/features/documents/access/share_rows.ts";
import {
  documentPath,
  formatDocumentId,
  READINGS_PER_HOUR,
} from "../lib/features/documents/mod.ts";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { LoggedError } from "../lib/platform/http/serve.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { LOOK_UPS_PER_MINUTE, readAccessLog } from "../lib/features/records/mod.ts";
import { errorOf, PERSON, statusOf } from "./contact_site.ts";
import { type ShareFixture, shareFixture } from "./share_site.ts";

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

const logOf = async ({ site, owner, clock }: ShareFixture) =>
  (await readAccessLog(site.services.kv, owner.hash, clock.now)).entries;

const eventsOf = async ({ site, owner }: ShareFixture) =>
  (await site.services.chains.page(owner.hash))!.events.map(({ kind }) => kind)
    .filter((kind) => kind.startsWith("document_"));

Deno.test("a holder shares a document, and somebody without scripts types the code and reads it for an hour", async () => {
  await using fixture = await shareFixture();
  const { document, fetch, owner, path } = fixture;
  const record = await (await fetch("/my-record", { cookie: owner.cookie })).text();
  assertStringIncludes(record, `href="${path}"`);
  const html = await (await fetch(path, { cookie: owner.cookie })).text();
  const form = /name="form" value="([^"]+)"/.exec(html)![1];
  const fields = { act: "create", days: "7", openings: "1", label: "For Zenith Ltd", form };
  const created = await fetch(path, { cookie: owner.cookie, form: fields });
  assertEquals([created.status, created.headers.get("cache-control")], [200, "no-store"]);
  const card = await created.text();
  const code = /\/s#([0-9A-HJKMNP-TV-Z]{26})/.exec(card)![1];
  const again = await fetch(path, { cookie: owner.cookie, form: fields });
  assertStringIncludes(await again.text(), code, "the form was sent twice");
  assertEquals((await fixture.list()).length, 1);
  const [notice] = await fixture.mails();
  assertStringIncludes(notice.text, formatDocumentId(document));
  assertFalse(/Zenith|Certificate/.test(notice.text));
  assertEquals(
    (await fixture.mails()).filter(({ subject }) => subject === notice.subject).length,
    1,
  );

  // Nothing about the link is in an address, and showing the page counts nothing.
  const empty = await (await fetch("/s")).text();
  assertStringIncludes(empty, 'action="/s"');
  const typed = `${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`;
  const looked = await fetch("/s", { form: { code: typed } });
  assertEquals(
    [looked.status, looked.headers.get("referrer-policy"), looked.headers.get("cache-control")],
    [200, "no-referrer", "no-store"],
  );
  const shown = await looked.text();
  assertStringIncludes(shown, "Open the document");
  assertStringIncludes(shown, "Issued and registered by Attest Systems");
  assertFalse(/Certificate of Ada|Ada Example|Zenith/.test(shown));
  assertEquals((await fixture.list())[0].openings, 0);

  const page = /name="page" value="([^"]+)"/.exec(shown)![1];
  const opened = await fetch("/s", { form: { act: "open", code, page } });
  assertEquals([opened.status, opened.headers.get("location")], [303, documentPath(document)]);
  assertMatch(
    opened.headers.get("set-cookie")!,
    /^document_share=[\w-]+; HttpOnly; Secure; SameSite=Lax; Max-Age=3600; Path=\/$/,
  );
  const cookie = opened.headers.get("set-cookie")!.split(";")[0];
  fixture.clock.now += 1;
  assertStringIncludes(
    await (await fetch(`/d/${document}`, { cookie })).text(),
    "Certificate of A",
  );
  assert(await fixture.reads(cookie));
  assertFalse(await fixture.reads(null));

  const [{ name, hash }] = await fixture.list();
  const log = (await logOf(fixture)).filter(({ what }) => /share|document_[vd]/.test(what));
  assertEquals(log.map(({ what, detail }) => [what, detail]), [
    [
      "document_downloaded",
      `${formatDocumentId(document)} version 1, the original, with the link ${name}`,
    ],
    ["document_viewed", `${formatDocumentId(document)} version 1, with the link ${name}`],
    ["share_opened", `${formatDocumentId(document)}, link ${name}`],
    ["document_shared", `${formatDocumentId(document)}, link ${name}`],
  ]);
  assertEquals(await eventsOf(fixture), ["document_viewed", "document_downloaded"]);
  const listed = await (await fetch(path, { cookie: owner.cookie })).text();
  for (const text of ["For Zenith Ltd", "Used up", "1 of 1 time", log[2].network]) {
    assertStringIncludes(listed, text);
  }
  assertFalse(
    listed.includes(code) || (await fixture.entries()).some(({ text }) => text.includes(code)),
    "the code is not stored",
  );
  assert((await fixture.entries()).some(({ key }) => key.includes(hash)));

  assertStringIncludes(listed, "End access now");
  assertFalse(listed.includes("End this link"), "it has ended");
  fixture.clock.now += HOUR_MS;
  assertFalse(await fixture.reads(cookie));
  const later = await (await fetch(path, { cookie: owner.cookie })).text();
  assertFalse(later.includes("End access now"), "there is nothing left to end");
});

Deno.test("a link with one opening opens once if 20 browsers use it at the same time, and a button that is pressed twice counts once", async () => {
  await using fixture = await shareFixture();
  const code = await fixture.share({ openings: "1" });
  const cookies = await Promise.all(Array.from({ length: 20 }, () => fixture.open(code)));
  assertEquals(cookies.filter((cookie) => cookie !== null).length, 1);
  const [{ openings, opened, state }] = await fixture.list();
  assertEquals([openings, opened.length, state], [1, 1, "used"]);
  assertEquals((await logOf(fixture)).filter(({ what }) => what === "share_opened").length, 1);

  const second = await fixture.share({ openings: "5" });
  const [a, b] = await Promise.all([
    fixture.open(second, { page: "p" }),
    fixture.open(second, { page: "p" }),
  ]);
  assert(await fixture.reads(a) && await fixture.reads(b));
  assertEquals((await fixture.list())[0].openings, 1);
  // The browser that reads the document can open the page again.
  const here = await fixture.look(second, a!);
  assertEquals([here.state, here.document], ["here", fixture.document]);
  assertEquals(await statusOf(fixture.press(second, { cookie: a! })), 303);
  assertEquals((await fixture.list())[0].openings, 1);
  fixture.clock.now += HOUR_MS;
  await fixture.open(second, { page: "p" });
  await fixture.open(second, { cookie: a! });
  assertEquals((await fixture.list())[0].openings, 3, "after an hour, both count again");
});

Deno.test("the number of a page that was pressed opens the document nowhere else, and after a minute nothing", async () => {
  await using fixture = await shareFixture();
  const code = await fixture.share({ openings: "1" });
  assert(await fixture.reads(await fixture.open(code, { page: "p" })));
  assertEquals(await fixture.open(code, { page: "p", from: "203.0.113.77" }), null);
  assert(await fixture.reads(await fixture.open(code, { page: "p" })), "pressed twice");
  fixture.clock.now += MINUTE_MS;
  assertEquals(await fixture.open(code, { page: "p" }), null);
});

Deno.test("each end of a link is named, opens nothing, counts nothing and ends the readings that it gave", async () => {
  await using fixture = await shareFixture();
  const { site: { services }, document, owner, clock, fetch } = fixture;
  const assertEnded = async (code: string, cookie: string, state: string, text: string) => {
    assertFalse(await fixture.reads(cookie), state);
    const counted = (await logOf(fixture)).length;
    assertEquals((await fixture.look(code)).state, state);
    for (const act of ["look", "open"]) {
      const response = await fetch("/s", { form: { act, code } });
      assertEquals([response.status, response.headers.get("set-cookie")], [410, null], state);
      assertStringIncludes(await response.text(), text);
    }
    assertEquals((await logOf(fixture)).length, counted);
  };
  const ended = await fixture.share();
  const endedCookie = (await fixture.open(ended))!;
  assert(await fixture.reads(endedCookie));
  const [{ hash, name }] = await fixture.list();
  // Ending a link needs no recent sign-in.
  const old = await fixture.signIn([owner.hash], { recent: false });
  const form = { act: "end", share: hash };
  const response = await fetch(fixture.path, { cookie: old, form });
  const location = response.headers.get("location")!;
  const claim = `/my-record/share?document=${document}&done=end&of=${hash}`;
  assertEquals([response.status, location.slice(0, claim.length)], [303, claim]);
  const shown = `The link ${name} no longer works`;
  assertStringIncludes(await (await fetch(location, { cookie: old })).text(), shown);
  assertFalse((await (await fetch(claim, { cookie: old })).text()).includes(shown));
  await assertEnded(ended, endedCookie, "ended", "The holder of the document has ended it.");

  const expired = await fixture.share({ days: "1" });
  clock.now += DAY_MS - MINUTE_MS;
  const late = (await fixture.open(expired))!;
  assert(await fixture.reads(late));
  clock.now += MINUTE_MS;
  await assertEnded(expired, late, "expired", "This link has expired");

  const code = await fixture.share({}, await fixture.signIn([owner.hash]));
  const cookie = (await fixture.open(code))!;
  unwrap(await services.documents.withdraw(document, "A wrong name", "admin@example.org"));
  await assertEnded(code, cookie, "withdrawn", "The document was withdrawn");
  const recent = await fixture.signIn([owner.hash]);
  assertEquals((await errorOf(await fixture.post({}, recent))).status, 409);
  // A later version opens it again, and the document's own expiry ends it.
  const version = { file_name: "b.txt", by: "admin@example.org" };
  unwrap(await services.documents.addVersion(document, version, bodyOf("The certificate. 2")));
  assert(await fixture.reads((await fixture.open(code))!));
  const now = new Date(clock.now).toISOString();
  unwrap(await services.documents.edit(document, { expires_at: now }, "admin@example.org"));
  await assertEnded(code, cookie, "document_expired", "The document has expired");
});

Deno.test("unknown, malformed and forged codes and cookies open nothing, and guesses are limited per network", async () => {
  await using fixture = await shareFixture();
  const { fetch, document, owner, site: { services } } = fixture;
  const code = await fixture.share();
  const other = code.replace(/.$/, (last) => last === "0" ? "1" : "0");
  assertEquals((await fixture.look(other)).status, 404);
  assertEquals((await fixture.look("nothing")).status, 400);
  assertEquals(await statusOf(fixture.press(other)), 404);
  assertEquals(await statusOf(fetch("/s", { form: { code: "nothing" } })), 400);
  assertEquals(await statusOf(fetch(`/s?code=${code}`)), 200); // which says nothing about it
  assertEquals((await fixture.list())[0].openings, 0);

  const cookie = (await fixture.open(code))!;
  const [value] = cookie.split("=").slice(1);
  const [, share, end, ...signature] = value.split("-");
  const swapped = [document, sha256(await fixture.share()), end, ...signature].join("-");
  const added = await services.documents.add(newDocument(owner.hash), bodyOf("The certificate."));
  const { document: { id } } = unwrap(added);
  const later = [document, share, Number(end) + 1, ...signature].join("-");
  const moved = [id, share, end, ...signature].join("-");
  for (const forged of [later, swapped, `${value}.`, `${value.slice(0, -1)}`, ""]) {
    const works = forged === `${value}.`; // an empty part is left out
    assertEquals(await fixture.reads(`document_share=${forged}`), works, forged);
  }
  assertFalse(await fixture.reads(`document_share=${moved}`, id), "another document");
  assertFalse(await fixture.reads(cookie, id), "another document of the same record");
  assertFalse(await fixture.reads(`${cookie}; ${cookie}`)); // ambiguous

  const from = "198.51.100.9";
  for (let i = 0; i < LOOK_UPS_PER_MINUTE; i++) {
    assertEquals(await statusOf(fixture.press(other, { from })), 404);
  }
  assertEquals(await statusOf(fixture.press(code, { from })), 429);
  assertEquals(await statusOf(fixture.press(code)), 303, "another network");
});

Deno.test("only the holder of the record can share its documents, after a recent sign-in", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, path, site: { services } } = fixture;
  const other = await fixture.holder({ ...PERSON, email: "other@example.org" });
  assertEquals(await statusOf(fixture.post({}, other.cookie)), 404);
  assertEquals(await statusOf(fetch(path, { cookie: other.cookie })), 404);
  assertEquals((await errorOf(await fixture.post({}, ""))).error, "unauthenticated");
  const old = await fixture.signIn([owner.hash], { recent: false });
  assertEquals((await errorOf(await fixture.post({}, old))).error, "sign_in_again");
  const page = await (await fetch(path, { cookie: old })).text();
  assertStringIncludes(page, "sign in again");
  assertFalse(page.includes("Create a link"));
  assertEquals(await fixture.list(), []);
  // A session that may open several records, and has opened none.
  const both = await fixture.signIn([owner.hash, other.hash]);
  assertEquals((await errorOf(await fixture.post({}, both))).error, "unauthenticated");

  const code = await fixture.share();
  const [{ hash }] = await fixture.list();
  const own = unwrap(await services.documents.add(newDocument(other.hash), bodyOf("Another.")));
  const theirs = `/my-record/share?document=${own.document.id}`;
  const form = { act: "end", share: hash };
  assertEquals(await statusOf(fetch(theirs, { cookie: other.cookie, form })), 404);
  assertEquals((await fixture.look(code)).state, "open");
  const wrong = { days: "91", openings: "2", label: "x".repeat(101), form: "x" };
  for (const [name, value] of Object.entries(wrong)) {
    assertEquals((await errorOf(await fixture.post({ [name]: value }))).status, 400, name);
  }
});

Deno.test("neither the holder nor link previews use up a link", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, document } = fixture;
  const code = await fixture.share({ openings: "1" });
  const own = await fixture.look(code, owner.cookie);
  assertEquals([own.state, own.own, own.left], ["open", true, 1]);
  const pressed = await fixture.press(code, { cookie: owner.cookie });
  assertEquals(
    [pressed.status, pressed.headers.get("location"), pressed.headers.get("set-cookie")],
    [303, documentPath(document), null],
  );
  const form = { act: "open", code };
  const headers = { "user-agent": "Slackbot-LinkExpanding 1.0" };
  const preview = await fetch("/s", { form, headers });
  assertEquals(preview.headers.get("set-cookie"), null);
  const crossSite = { origin: "https://elsewhere.example" };
  assertEquals(await statusOf(fetch("/s", { form, headers: crossSite })), 403);
  assertEquals((await fixture.list())[0].openings, 0);
});

Deno.test("a document has at most 20 open links, a record gets at most 20 in a day, and each form makes one", async () => {
  await using fixture = await shareFixture();
  assertEquals([MAX_SHARES, SHARES_PER_DAY], [20, 20]);
  const codes = await Promise.all(
    Array.from({ length: SHARES_PER_DAY }, () => fixture.share({ days: "30" })),
  );
  assertEquals(new Set(codes).size, SHARES_PER_DAY);
  const tooMany = await errorOf(await fixture.post({}));
  assertEquals([tooMany.status, tooMany.error], [409, "conflict"]);
  const { owner, site: { services } } = fixture;
  const [{ hash: key }] = await fixture.list();
  unwrap(await services.shares.end({ record: owner.hash, hash: key, reader: READER }));
  assertEquals((await errorOf(await fixture.post({}))).status, 429);
  fixture.clock.now += DAY_MS;
  await fixture.share({}, await fixture.signIn([owner.hash]));
  const open = (await fixture.list()).filter(({ state }) => state === "open");
  assertEquals(open.length, MAX_SHARES);
});

Deno.test("a link gives at most 60 readings in an hour, in all browsers together", async () => {
  await using fixture = await shareFixture();
  const code = await fixture.share({ openings: "25" });
  const cookies = [await fixture.open(code), await fixture.open(code)];
  for (let i = 0; i < READINGS_PER_HOUR; i++) assert(await fixture.reads(cookies[i % 2]));
  const { document, fetch } = fixture;
  assertEquals(await statusOf(fetch(`/d/${document}/file`, { cookie: cookies[0]! })), 429);
});

Deno.test("the link of the notice ends the shared link and the readings that it gave, for seven days", async () => {
  await using fixture = await shareFixture();
  const { fetch } = fixture;
  const code = await fixture.share();
  const cookie = await fixture.open(code);
  assert(await fixture.reads(cookie));
  const token = await fixture.undoToken();
  const page = await (await fetch(`/my-record/undo?token=${token}`)).text();
  assertStringIncludes(page, "A link to your document was created");
  assert(await fixture.reads(cookie), "opening the page changes nothing");
  const undone = await (await fetch("/my-record/undo", { form: { token } })).text();
  assertStringIncludes(undone, "The link no longer opens the document.");
  assertFalse(await fixture.reads(cookie));
  assertEquals((await fixture.look(code)).state, "ended");
  assertEquals((await errorOf(await fixture.post({}))).error, "unauthenticated");
  const whats = (await logOf(fixture)).map(({ what }) => what);
  assertEquals(whats.filter((what) => /share_ended|undone/.test(what)).length, 2);
});

Deno.test("signing out everywhere ends the links of the last seven days, a recovery ends all", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, clock, site: { services } } = fixture;
  const old = await fixture.share({ days: "90" });
  clock.now += 7 * DAY_MS;
  const cookie = await fixture.signIn([owner.hash]);
  const recent = await fixture.share({ days: "90" }, cookie);
  const readings = [await fixture.open(recent), await fixture.open(old)];
  const reads = () => Promise.all(readings.map((each) => fixture.reads(each)));
  const again = await fixture.signIn([owner.hash]);
  await statusOf(fetch("/my-record/sign-out", { cookie: again, form: {} }));
  assertEquals(await reads(), [true, true], "only this browser was signed out");
  await statusOf(fetch("/my-record/sign-out", { cookie, form: { everywhere: "1" } }));
  assertEquals(await reads(), [false, true]);
  assertEquals((await fixture.look(recent)).state, "ended");

  const newEmail = "new.box@example.org";
  const by = { by: "admin@example.org", note: "Passport", reader: READER };
  unwrap(await services.records.recoveries.start({ hash: owner.hash, newEmail, ...by }));
  clock.now += 3 * DAY_MS;
  await services.jobs.run("recoveries");
  assertEquals((await fixture.look(old)).state, "open");
  const { link } = (await fixture.mails()).find(({ to }) => to === newEmail)!;
  const token = new URL(link!).searchParams.get("token")!;
  assertEquals(await statusOf(fetch("/my-record/link", { form: { token } })), 303);
  assertEquals((await fixture.look(old)).state, "ended");
});

Deno.test("links move with a correction; those that were created since are ended if it is undone", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, clock, site: { services } } = fixture;
  const mine = await fixture.share({ days: "90" });
  const reading = await fixture.open(mine);
  clock.now += 8 * DAY_MS; // the undo signs out everywhere, which ends the links of seven days
  const cookie = await fixture.signIn([owner.hash]);
  const { contact } = (await services.records.read(owner.hash))!;
  const { mobile: _, ...enquiry } = contact.value.record;
  const json = { ...enquiry, mobile: PERSON.mobile, name: "Ada Renamed" };
  assertEquals(await statusOf(fetch("/my-record/correct", { cookie, json })), 200);
  const to = (await services.records.read(owner.hash))!.row.replaced_by!;
  assertEquals(await fixture.list(), []);
  assertEquals((await services.shares.list(to)).map(({ state }) => state), ["open"]);
  assertEquals((await fixture.look(mine)).state, "open");
  assert(await fixture.reads(await fixture.open(mine)));
  assertFalse(await fixture.reads(reading), "the hour is over");

  const theirs = await fixture.share({}, await fixture.signIn([to]));
  const stolen = await fixture.open(theirs);
  assert(await fixture.reads(stolen));
  const mails = await fixture.mails();
  const { link } = mails.find(({ subject }) => subject.startsWith("A correction of your record"))!;
  const token = new URL(link!).searchParams.get("token")!;
  assertEquals(await statusOf(fetch("/my-record/undo", { form: { token } })), 200);
  assertFalse(await fixture.reads(stolen));
  const states = (await fixture.list()).map(({ state }) => state);
  assertEquals(states, ["ended", "open"]);
  assertEquals((await fixture.look(mine)).state, "open");
});

Deno.test("moving links back ends those that were created since the correction was entered, whatever their age", async () => {
  await using fixture = await shareFixture();
  const { owner, clock, site: { services } } = fixture;
  const before = await fixture.share({ days: "90" });
  clock.now += 1;
  const since = new Date(clock.now).toISOString();
  const after = await fixture.share({ days: "90" });
  clock.now += 13 * DAY_MS;
  const other = await fixture.register({ ...PERSON, email: "other@example.org" });
  await services.documents.recordData.move!(owner.hash, other);
  await moveLinks(services, owner.hash, other, since);
  assertEquals(await fixture.list(), []);
  const states = (await services.shares.list(other)).map(({ state }) => state);
  assertEquals(states.toSorted(), ["ended", "open"]);
  assertEquals((await fixture.look(after)).state, "ended");
  assertEquals((await fixture.look(before)).state, "open");
  const { entries } = await readAccessLog(services.kv, other, clock.now);
  assertEquals(entries.filter(({ what }) => what === "share_ended").length, 1);
});

Deno.test("a record that will be deleted gives nothing with a link, and its links are erased and downloaded with it", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, clock, site: { services } } = fixture;
  const code = await fixture.share({ days: "90", label: "For Quintessa" });
  clock.now += 7 * DAY_MS; // so that signing out everywhere does not end it
  const cookie = await fixture.signIn([owner.hash]);
  const reading = await fixture.open(code);
  assert(await fixture.reads(reading));
  const file = await (await fetch("/my-record/download.json", { cookie })).json();
  assertEquals(file.document_shares.length, 1);
  assertEquals([file.document_shares[0].label, file.document_shares[0].openings], [
    "For Quintessa",
    1,
  ]);
  const digits = owner.hash.slice(-4);
  assertEquals(await statusOf(fetch("/my-record/delete", { cookie, form: { digits } })), 200);
  assertFalse(await fixture.reads(reading));
  assertEquals((await fixture.look(code)).status, 404);
  assertEquals(await statusOf(fixture.press(code)), 404);
  unwrap(await services.records.deletion.deleteRecord(owner.hash));
  assertEquals(
    (await fixture.entries()).filter(({ key, text }) =>
      /document_shares/.test(key) || text.includes("Quintessa")
    ),
    [],
  );
  assertEquals((await fixture.look(code)).status, 404);
});

Deno.test("a download is cut once the session or the link that opens the document has ended", async () => {
  await using fixture = await shareFixture();
  const { owner, fetch, site: { services } } = fixture;
  const body = bodyOf("The certificate.".padEnd(4 * 1024 * 1024, "."));
  const { document } = unwrap(await services.documents.add(newDocument(owner.hash), body));
  const link = { json: { act: "create", days: "7", openings: "5", form: crypto.randomUUID() } };
  const created = await fetch(`/my-record/share?document=${document.id}`, {
    ...link,
    cookie: owner.cookie,
    headers: { accept: "application/json" },
  });
  const { code } = await created.json();
  const shared = (await fixture.open(code))!;
  const [{ hash }] = await fixture.list();
  const ends: [string, () => Promise<unknown>][] = [
    [shared, () => services.shares.end({ record: owner.hash, hash, reader: READER })],
    [
      owner.cookie,
      () =>
        services.records.signOut(
          new Request("https://x", { headers: { cookie: owner.cookie } }),
        ),
    ],
  ];
  for (const [cookie, end] of ends) {
    const response = await fetch(`/d/${document.id}/file`, { cookie });
    assertEquals(response.status, 200);
    const reader = response.body!.getReader();
    await reader.read();
    await end();
    await assertRejects(async () => {
      while (!(await reader.read()).done);
    }, LoggedError);
  }
});
