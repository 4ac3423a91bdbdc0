import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { formatDocumentId } from "../lib/features/documents/mod.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { statusOf } from "./contact_site.ts";
import { issuingFixture } from "./issuing_site.ts";

const SURFACE = "commercial-console";
const BY = "admin@example.org";

/** A site whose administrator looks for documents of an issuer. */
async function findingFixture() {
  const fixture = await issuingFixture();
  const { site, issuer, clock } = fixture;
  const { auth, surfaces } = site.services;
  clock.now = Date.parse("2026-11-20T09:00:00.000Z");
  const { origin } = new URL(surfaces.url(SURFACE, "/")!);
  const path = `/console/issuers/${issuer.id}`;

  async function send(path: string, form?: Record<string, string>) {
    const { token } = await auth.issueLink({ email: "admin@example.org", surface: SURFACE });
    const { sessionId } = (await auth.verify(token, SURFACE))!;
    const response = await site.request(SURFACE, path, {
      method: form === undefined ? "GET" : "POST",
      headers: { cookie: `app_session=${sessionId}`, accept: "text/html", origin },
      body: form && new URLSearchParams(form),
    });
    const html = await response.text();
    const words = html.replaceAll(/<(script|style)[^]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
    return { status: response.status, location: response.headers.get("location"), html, words };
  }

  return {
    ...fixture,
    path,
    send,
    /** Issues a document to a person, a minute after the one before. */
    async give(name: string, changes: Record<string, string> = {}) {
      clock.now += MINUTE_MS;
      const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.org`;
      const { document } = unwrap(await fixture.issue({ recipient: { name, email }, ...changes }));
      return document;
    },
    /** Returns the names in the list. */
    async named(form?: Record<string, string>, query = "") {
      const { html } = await send(`${path}${query}`, form);
      return Array.from(html.matchAll(/documents\/[\w-]+">([^<]+)</g), ([, name]) => name);
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("an issuer's documents are found by number in every spelling, external id, address and words", async () => {
  await using fixture = await findingFixture();
  const { named } = fixture;
  const mei = await fixture.give("Mei Chen", { external_id: "2026-0117" });
  await fixture.give("Zoë O’Brien", { external_id: "2026-0118" });
  await fixture.give("Mei Lin");
  const spellings = [
    mei.id,
    formatDocumentId(mei.id),
    formatDocumentId(mei.id).toLowerCase(),
    `Document ${formatDocumentId(mei.id)}`,
    fixture.site.services.surfaces.url("trust", `/d/${mei.id}`)!,
  ];
  const cases: [text: string, names: string[]][] = [
    ...spellings.map((text): [string, string[]] => [text, ["Mei Chen"]]),
    ["2026-0117", ["Mei Chen"]],
    ["mei.chen@example.org", ["Mei Chen"]],
    ["chen", ["Mei Chen"]],
    ["Chen Mei", ["Mei Chen"]],
    ["mei", ["Mei Lin", "Mei Chen"]],
    ["obrien zoe", ["Zoë O’Brien"]],
    ["mei.chen@example.com", []],
    ["2026", []],
    ["Nobody", []],
  ];
  for (const [text, names] of cases) assertEquals(await named({ text }), names, text);
  await fixture.give("Eve", { external_id: "Mei Chen" });
  assertEquals(await named({ text: "Mei Chen" }), ["Eve", "Mei Chen"], "a name that is also an id");
  const other = await fixture.addIssuer("Quay School");
  for (const [text] of cases.slice(0, 9)) {
    const { html } = await fixture.send(`/console/issuers/${other.id}`, { text });
    assertFalse(html.includes("Mei Chen"), text);
  }
  assertEquals((await fixture.send(fixture.path, { text: "mei@" })).status, 400);
});

Deno.test("the list has pages, filters by state and mode, and forgets a name that is erased", async () => {
  await using fixture = await findingFixture();
  const { named, clock } = fixture;
  const { documents, jobs } = fixture.site.services;
  const first = await fixture.give("Ada First");
  for (let i = 0; i < 25; i++) await fixture.give(`Student Number${i}`);
  await fixture.issue({ recipient: { name: "A Test", email: "test@example.org" } }, { test: true });
  const page = await fixture.send(fixture.path);
  const [, next] = /href="([^"]*)" rel="next"|rel="next" href="([^"]*)"/.exec(page.html)!.filter(
    Boolean,
  );
  assertEquals((await named()).length, 25);
  const query = next.slice(next.indexOf("?")).replaceAll("&amp;", "&");
  assertEquals(await named(undefined, query), ["Ada First"]);
  assertEquals(await named(undefined, "?mode=test"), ["A Test"]);
  unwrap(await documents.withdraw(first.id, "A mistake", "admin@example.org"));
  assertEquals(await named(undefined, "?state=withdrawn"), ["Ada First"]);
  assertEquals(await named({ text: "student", state: "withdrawn" }), []);
  clock.now += 91 * DAY_MS;
  await jobs.run("recipients");
  assertEquals(await named({ text: "First" }), []);
  assertEquals((await named(undefined, "?state=lapsed")).length, 25);
});

Deno.test("an empty list of live documents links to the tests if there are any", async () => {
  await using fixture = await findingFixture();
  const { path, send } = fixture;
  const link = `href="${path}?mode=test"`;
  const none = await send(path);
  assertStringIncludes(none.words, "A document that names this issuer appears here.");
  assertFalse(none.html.includes(link));
  await fixture.issue({}, { test: true });
  const tests = await send(path);
  assertStringIncludes(tests.words, "There are only test documents .");
  assertStringIncludes(tests.html, link);
  const waiting = await send(`${path}?state=waiting`);
  assertStringIncludes(waiting.words, "No documents match");
  assertFalse(waiting.words.includes("There are only"));
});

Deno.test("the console's search finds documents of all its issuers, and titles without names", async () => {
  await using fixture = await findingFixture();
  const mei = await fixture.give("Mei Chen", { external_id: "2026-0117" });
  const number = formatDocumentId(mei.id);
  for (const q of [number, mei.id, "2026-0117", "mei ch", "mei.chen@example.org"]) {
    const { html, words } = await fixture.send("/console/search", { q });
    assertStringIncludes(html, `href="${fixture.path}/documents/${number}">Document ${number}</a>`);
    assertStringIncludes(words, "Mei Chen · Certificate III · Harbour College");
  }
});

Deno.test("the console's search finds an issuer by words of its name, and none of the other console", async () => {
  await using fixture = await findingFixture();
  for (const q of ["harbour", "COLLEGE harb"]) {
    const { html } = await fixture.send("/console/search", { q });
    assertStringIncludes(html, `href="${fixture.path}">Harbour College</a>`);
  }
  const { issuers } = fixture.site.services;
  unwrap(await issuers.add({ organisation: "foundation", name: "Harbour School", by: BY }));
  const { html } = await fixture.send("/console/search", { q: "harbour" });
  assertFalse(html.includes("Harbour School"));
});

Deno.test("the page of a document names its person before it is withdrawn, and shows its history", async () => {
  await using fixture = await findingFixture();
  const { send, clock } = fixture;
  const mei = await fixture.give("Mei Chen", { external_id: "2026-0117" });
  const page = `${fixture.path}/documents/${formatDocumentId(mei.id)}`;
  const { html, words } = await send(page);
  for (
    const text of [
      "You are about to withdraw “Certificate III” of Mei Chen",
      "Withdraw the document of Mei Chen",
      "Email Mei Chen again",
      "Issued , through the API",
      "Emailed to the recipient",
      "The recipient is not emailed, but the link in the email about the document then says so too.",
    ]
  ) assertStringIncludes(words, text);
  const [, mail] = /href="([^"]*)">Where is the email/.exec(html)!;
  assertStringIncludes((await send(mail)).words, "Offer of a document Sent");
  assertMatch(html, /href="[^"]*\/docs\/issuing#correct-and-withdraw">replace it/);
  assertFalse(html.includes("/batches/new"));
  const refused = await send(page, { act: "withdraw", reason: "" });
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.html, "<title>Error: Document");
  const before = (await fixture.mails()).length;
  clock.now += MINUTE_MS;
  const mailed = await send(page, { act: "mail" });
  assertStringIncludes((await send(mailed.location!)).words, "Mei Chen is emailed again");
  assertEquals((await fixture.mails()).length, before + 1);
  const mails = (await fixture.mails()).length;
  const withdrawn = await send(page, { act: "withdraw", reason: "The wrong course" });
  assertEquals((await fixture.mails()).length, mails);
  const { path } = await fixture.acceptLink();
  const offer = await (await fixture.fetch(path)).text();
  assertStringIncludes(offer, "A document of Harbour College was withdrawn");
  const after = await send(withdrawn.location!);
  assertStringIncludes(after.words, "The document of Mei Chen is withdrawn");
  assertStringIncludes(after.words, "Withdrawn by an administrator , The wrong course");
  assertFalse(after.words.includes("You are about to withdraw"));
  assertStringIncludes(
    after.words,
    "A new version puts it in force again, under the same number. The issuer adds one through the API.",
  );
  assertStringIncludes(after.html, `<a href="${fixture.path}/batches/new"`);
});

Deno.test("a document in a record that was withdrawn leads to the form that puts it in force again", async () => {
  await using fixture = await findingFixture();
  const { document } = unwrap(await fixture.issue());
  const { fields } = await fixture.acceptLink();
  await statusOf(fixture.fetch("/accept", { form: { ...fields, act: "accept" } }));
  const page = `${fixture.path}/documents/${formatDocumentId(document.id)}`;
  await fixture.send(page, { act: "withdraw", reason: "The wrong person" });
  const { html } = await fixture.send(page);
  const [, form] = /href="([^"#]*)#changes">Add a new version/.exec(html)!;
  const { words } = await fixture.send(form);
  assertStringIncludes(words, "The new version puts the document in force again.");
});

Deno.test("a recipient whose address refuses mail is not mailed again, and the page leads to the reason", async () => {
  await using fixture = await findingFixture();
  const mei = await fixture.give("Mei Chen");
  const page = `${fixture.path}/documents/${formatDocumentId(mei.id)}`;
  const to = "mei.chen@example.org";
  const before = (await fixture.mails()).length;
  await fixture.site.services.mailer.report({ mail: { to }, what: "hard", reply: "5.1.1" });
  const { html, words } = await fixture.send(page);
  assertStringIncludes(words, "no document is emailed to this address any more");
  assertFalse(words.includes("Email Mei Chen again"));
  const [, reason] = /href="([^"]*)">See why/.exec(html)!;
  assertStringIncludes((await fixture.send(reason)).words, "because its server has refused it");
  assertEquals((await fixture.send(page, { act: "mail" })).status, 409);
  assertEquals((await fixture.mails()).length, before);
});

Deno.test("a document that nobody was mailed about is not mailed again, and one in a record is read there", async () => {
  await using fixture = await findingFixture();
  const { document: waiting } = unwrap(await fixture.issue({}, {}, { mail: "later" }));
  const page = `${fixture.path}/documents/${formatDocumentId(waiting.id)}`;
  const { words } = await fixture.send(page);
  for (const text of ["again", "Where is the email?"]) assertFalse(words.includes(text));
  assertStringIncludes(words, "Nobody is emailed about it.");
  assertEquals((await fixture.send(page, { act: "mail" })).status, 409);
  assertEquals(await statusOf(fixture.site.request(SURFACE, `${page}/file`)), 302);
  assertEquals((await fixture.send(`${page}/file`)).status, 200);

  await fixture.issue();
  const { fields } = await fixture.acceptLink();
  await statusOf(fixture.fetch("/accept", { form: { ...fields, act: "accept" } }));
  const accepted = await fixture.send(page);
  assertStringIncludes(accepted.words, "It is in a record. The holder sees who reads it.");
  assertStringIncludes(accepted.words, "The holder is not emailed, but readers with access are.");
  assertEquals((await fixture.send(`${page}/file`)).status, 404);
});
