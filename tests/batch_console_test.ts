import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { COLUMNS } from "../lib/features/issuing/batches/columns.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { parseDocumentId } from "../lib/features/documents/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { until } from "../lib/testing/until.ts";
import { statusOf } from "./contact_site.ts";
import { documentFixture } from "./document_site.ts";

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const FIELDS = { mode: "live", title: "Diploma", date: "2026-11-20", subtitle: "" };

async function consoleFixture() {
  const fixture = await documentFixture();
  const { issuers, surfaces, jobs, audit } = fixture.site.services;
  const about = { organisation: "commercial", name: "Harbour College", by: "admin@example.org" };
  const { issuer } = unwrap(await issuers.add({ ...about, organisation: "commercial" }));
  const path = `/console/issuers/${issuer.id}`;
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const post = (path: string, body: BodyInit) =>
    fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  return {
    ...fixture,
    owner: { issuer, test: false },
    path,
    post,
    page: async (path: string) => wordsOf(await (await fixture.asAdministrator(path)).text()),
    /** Sends the form with a file. */
    upload(file: string | null, fields: Record<string, string> = FIELDS) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      if (file !== null) form.set("file", new File([file], "students.csv"));
      return post(`${path}/batches/new`, form);
    },
    run: () => jobs.run("batches"),
    actions: async () =>
      (await audit.list("commercial", {})).entries.map(({ action }) => action)
        .filter((action) => action.startsWith("batch_")),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("a refused form names the problems of its fields, its header and its rows at once, and keeps the fields", async () => {
  await using fixture = await consoleFixture();
  const { batches } = fixture.site.services;
  const fields = { ...FIELDS, date: "", expires_on: "soon", grade: "Pass" };
  const refused = await fixture.upload(
    "name,email,notes\nGrace,grace,x\n,ada@example.org,x\n",
    fields,
  );
  assertEquals(refused.status, 400);
  const html = await refused.text();
  assertStringIncludes(html, "<title>Error: Issue certificates");
  const summary = /<section class="error-summary[^]*?<\/section>/.exec(html)![0];
  assertStringIncludes(summary, "autofocus");
  const links = summary.matchAll(/<a href="#([^"]*)">([^<]*)/g);
  assertEquals(Array.from(links, ([, target, text]) => [target, text.slice(0, 34)]), [
    ["field-batch-date", "Date: Give one date for all rows, "],
    ["field-batch-expires_on", "Valid until: Write a day as YYYY-M"],
    ["problem-1", "Line 1, notes: There is no such co"],
    ["problem-2", "Line 2, email: This is not an emai"],
    ["problem-3", "Line 3, name: The name is missing."],
  ]);
  for (const [id] of summary.matchAll(/(?<=href="#)[^"]*/g)) {
    assertStringIncludes(html, `id="${id}"`);
  }
  for (const value of ["Diploma", "Pass", "soon"]) assertStringIncludes(html, `value="${value}"`);
  const empty = await fixture.upload(null, { ...FIELDS, expires_on: "soon" });
  const words = wordsOf(await empty.text());
  assertStringIncludes(words, "File: Choose a file.");
  assertStringIncludes(words, "Valid until: Write a day");
  assertEquals([await batches.list(fixture.owner), await batches.checked.list(fixture.owner)], [
    [],
    [],
  ]);
});

Deno.test("a file with a row that cannot be printed is refused, and the form offers to continue without it", async () => {
  await using fixture = await consoleFixture();
  const { batches } = fixture.site.services;
  const file = "name,email\nGrace,grace@example.org\n𓂀,eye@example.org\n王小明,wang@example.org\n";
  const refused = await fixture.upload(file);
  const html = await refused.text();
  // A file comes after all other fields.
  assert(html.indexOf('name="unprintable"') < html.indexOf('name="file"'));
  const words = wordsOf(html);
  assertStringIncludes(words, "The fonts cannot show “𓂀” (U+13080).");
  assertStringIncludes(words, "Continue without this row");
  assertMatch(html, /1 certificate cannot be printed\.[^]*href="#field-batch-unprintable"/);
  assertStringIncludes(html, 'id="field-batch-unprintable"');
  assertEquals(words.includes("Correct the rows with other problems first"), false);
  // A mark without a letter is in no row that can be left out, because nobody has such a name.
  const marked = `${file}\u0301,mark@example.org\n`;
  for (const unprintable of ["refuse", "leave_out"]) {
    const first = wordsOf(await (await fixture.upload(marked, { ...FIELDS, unprintable })).text());
    assertStringIncludes(first, "Line 5, name: A name must contain letters.");
    assertStringIncludes(first, "Correct the rows with other problems first.");
  }
  const other = await fixture.upload("name,email\nGrace,@\n");
  assertEquals(wordsOf(await other.text()).includes("Continue without"), false);
  const kept = await fixture.upload(file, { ...FIELDS, unprintable: "leave_out" });
  assertEquals(kept.status, 303);
  const page = await fixture.page(kept.headers.get("location")!);
  assertStringIncludes(page, "This row is left out, because its certificate cannot be printed.");
  assertEquals((await batches.checked.list(fixture.owner)).map(({ rows }) => rows), [2]);
});

Deno.test("the form names each column that a file can have, and links to an example", async () => {
  await using fixture = await consoleFixture();
  const html = await (await fixture.asAdministrator(`${fixture.path}/batches/new`)).text();
  for (const column of COLUMNS) assertStringIncludes(html, `<code>${column}</code>`);
  assertMatch(html, /href="[^"]*\/docs\/issuing\/graduates.csv">An example/);
});

Deno.test("the form with a file has today's date", async () => {
  await using fixture = await consoleFixture();
  fixture.clock.now = Date.parse("2026-11-29T23:59:00Z");
  const html = await (await fixture.asAdministrator(`${fixture.path}/batches/new`)).text();
  assertMatch(html, /id="field-batch-date"[^>]* value="2026-11-29"/);
});

Deno.test("an administrator looks at a checked file, issues it once, looks at its rows, and sends or undoes it", async () => {
  await using fixture = await consoleFixture();
  const { batches } = fixture.site.services;
  const long = "Maximiliana Konstantina Wolfeschlegelstein";
  const people =
    `Grace,grace@example.org,A-1\n${long},max@example.org,A-2\nMei,max@example.org,A-3\n`;
  const check = async () => {
    const checked = await fixture.upload(`name,email,external_id\n${people}`);
    assertEquals(checked.status, 303);
    return checked.headers.get("location")!;
  };
  const first = await check();
  const html = await (await fixture.asAdministrator(`${first}?row=2`)).text();
  const words = wordsOf(html);
  for (
    const text of [
      "3 certificates for 2 recipients. Nothing is issued yet.",
      "1 warning",
      "4 email",
      `The first Grace line 2`,
      `The longest texts ${long} line 3`,
      "One of the others Mei line 4",
    ]
  ) assertStringIncludes(words, text);
  assertEquals(await batches.list(fixture.owner), []);
  const drawn = await fixture.asAdministrator(`${first}/rows/2`);
  assertEquals([drawn.status, drawn.headers.get("content-type")], [200, "application/pdf"]);
  assertStringIncludes(await drawn.text(), "%PDF-");
  assertEquals(await statusOf(fixture.asAdministrator(`${first}/rows/3`)), 404);

  const act = (batch: string, act: string) => fixture.post(batch, new URLSearchParams({ act }));
  const issued = await Promise.all([act(first, "issue"), act(first, "issue")]);
  assertEquals(issued.map(({ status }) => status), [303, 303]);
  await fixture.run();
  assertEquals((await batches.list(fixture.owner)).map(({ rows, issued }) => [rows, issued]), [
    [3, 3],
  ]);
  assertStringIncludes(await fixture.page(`${fixture.path}/batches`), "Certificate, 20 Nov 2026");
  const held = await (await fixture.asAdministrator(first)).text();
  assertStringIncludes(wordsOf(held), "2 emails are sent immediately, one to each recipient.");
  assertStringIncludes(wordsOf(held), "4 Mei max@example.org A-3 Issued View");
  const look = held.matchAll(/href="([^"]*\/documents\/[^"]*)"/g).toArray()[2][1];
  assertStringIncludes(await fixture.page(look), "Mei Waiting");
  assertEquals(await statusOf(fixture.asAdministrator(`${first}/rows/2`)), 404);
  const csv = await (await fixture.asAdministrator(`${first}/results`)).text();
  assertEquals(csv.trim().split("\r\n").length, 4);
  assertEquals(await statusOf(act(first, "cancel")), 303);
  await fixture.run();
  assertStringIncludes(await fixture.page(first), "The documents are erased.");

  const discarded = await check();
  const undone = await fixture.page(discarded);
  assertEquals(undone.includes("These rows were issued"), false, "they were undone");
  const again = await act(discarded, "discard");
  assertEquals(again.headers.get("location"), `${fixture.path}/batches/new`);
  assertEquals(await statusOf(fixture.asAdministrator(discarded)), 404);

  const second = await check();
  await statusOf(act(second, "issue"));
  await fixture.run();
  const before = (await fixture.mails()).length;
  assertEquals(await statusOf(act(second, "send")), 303);
  const sending = await (await fixture.asAdministrator(second)).text();
  assertMatch(sending, /id="batch" data-working/);
  assertStringIncludes(wordsOf(sending), "Sending Progress The emails are being sent.");
  assertEquals(wordsOf(sending).includes("Undo…"), false);
  await fixture.run();
  const done = await (await fixture.asAdministrator(second)).text();
  assertStringIncludes(wordsOf(done), "Everything is done.");
  assertStringIncludes(wordsOf(done), "Grace grace@example.org A-1 Emailed View");
  assertEquals((await fixture.mails()).length, before + 2);
  const [, mail] = /<a href="([^"]*)" title="Where is this email\?">grace@/.exec(done)!;
  assertStringIncludes(await fixture.page(mail), "Offer of a document Sent");
  const [, mailed] = /href="[^"]*\/documents\/([^"]*)"/.exec(done)!;
  const { documents } = fixture.site.services;
  unwrap(await documents.withdraw(parseDocumentId(mailed)!, "A mistake", "admin@example.org"));
  const after = await fixture.page(second);
  assertStringIncludes(after, "Grace grace@example.org A-1 Withdrawn Emailed View");
  const repeated = await (await fixture.asAdministrator(await check())).text();
  assertStringIncludes(wordsOf(repeated), "These rows were issued on ");
  assertStringIncludes(repeated, `href="${second}"`);
  const late = await act(second, "cancel");
  assertEquals(late.status, 409);
  assertStringIncludes(wordsOf(await late.text()), "so it cannot be undone");
  assertEquals((await fixture.actions()).toSorted(), [
    "batch_added",
    "batch_added",
    "batch_sent",
    "batch_undone",
  ]);
});

Deno.test("an upload that stalls keeps no other file of the issuer waiting, and is checked once it is complete", async () => {
  await using fixture = await consoleFixture();
  const { batches, bodies, surfaces } = fixture.site.services;
  const shared = { title: "Diploma", date: "2026-11-20" };
  const fields = Object.entries({ mode: "live", ...shared }).map(([name, value]) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  );
  const file = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const uploaded = fixture.asAdministrator(`${fixture.path}/batches/new`, {
    method: "POST",
    body: readable,
    headers: { origin, "content-type": "multipart/form-data; boundary=x" },
  });
  const write = (text: string) => writer.write(new TextEncoder().encode(text));
  await write(`${fields.join("")}--x\r\n${file}name,email\n`);
  await write("Grace,grace@example.org\n");
  await until(() => bodies.used > 20, "the beginning of the file is kept");
  const other = new TextEncoder().encode("name,email\nAda,ada@example.org\n");
  const checked = await batches.check(fixture.owner.issuer, [other], batchDefaults.parse(shared));
  assertEquals(unwrap(checked).rows.length, 1);
  await write("\r\n--x--\r\n");
  await writer.close();
  assertEquals((await uploaded).status, 303);
  assertEquals((await batches.checked.list(fixture.owner)).map(({ rows }) => rows), [1]);
});
