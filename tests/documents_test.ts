import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createPdf } from "../lib/features/documents/testing/pdfs.ts";
import {
  formatDocumentId,
  UPLOAD_LIFETIME_MS,
  UPLOAD_LIMIT,
} from "../lib/features/documents/mod.ts";
import { ADMINISTRATOR, readAccessLog, recordRows } from "../lib/features/records/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

type Console = "commercial-console" | "foundation-console";

const DETAILS = {
  title: "Diploma of Ada",
  type: "Diploma",
  publish_hash: "default",
  expires_on: "",
};

async function documentsFixture(env: Record<string, string> = {}) {
  const fixture = await recordFixture(env);
  const { services } = fixture.site;
  const { auth, documents, surfaces } = services;
  const { hash, cookie } = await fixture.holder();
  const sessions = new Map<string, string>();

  async function console(
    path: string,
    { as = "admin@example.org", body, on = "commercial-console", headers = {} }: {
      as?: string;
      body?: BodyInit;
      on?: Console;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Response> {
    if (!sessions.has(as + on)) {
      const { token } = await auth.issueLink({ email: as, surface: on });
      sessions.set(as + on, (await auth.verify(token, on))!.sessionId);
    }
    const session = `app_session=${sessions.get(as + on)}`;
    const origin = new URL(surfaces.url(on, "/")!).origin;
    return await fixture.site.request(on, path, {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: { cookie: session, accept: "text/html", ...body && { origin }, ...headers },
    });
  }

  const path = `/console/records/${hash}/documents`;
  return {
    ...fixture,
    hash,
    cookie,
    path,
    console,
    list: () => documents.list(hash),
    /** Adds a document as the form does, and returns the path of its page. */
    async add(content: BlobPart, details: Record<string, string> = DETAILS): Promise<string> {
      const response = await console(path, { body: formOf(content, details) });
      await response.body?.cancel();
      assertEquals(response.status, 303);
      const [page, query] = response.headers.get("location")!.split("?");
      assertMatch(query, /^done=add&at=\d+&proof=[\w-]{43}$/);
      return page;
    },
  };
}

function formOf(content: BlobPart, fields: Record<string, string>, name = "diploma.txt"): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new File([content], name, { type: "text/html" }));
  return form;
}

/** Hashes are shown in groups, which are elements. */
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, "");

Deno.test("an administrator adds, replaces, edits and withdraws a document with plain forms", async () => {
  await using fixture = await documentsFixture({
    OPS_L1_EMAILS: "admin@example.org,second@example.org",
  });
  const { console, hash } = fixture;
  const path = await fixture.add("first", { ...DETAILS, expires_on: "2030-12-31" });
  assertMatch(path, new RegExp(`^/console/records/${hash}/documents/[0-9A-HJKMNP-TV-Z]{16}$`));
  const [document] = await fixture.list();
  assertEquals(
    [document.title, document.public, document.guessable, document.expires_at],
    ["Diploma of Ada", false, true, "2030-12-31T23:59:59.999Z"],
  );
  const [{ original, file_name, by }] = document.versions;
  assertEquals([file_name, by], ["diploma.txt", "admin@example.org"]);
  assertEquals(original.media_type, "text/plain; charset=utf-8"); // whatever the browser says

  const replaced = await console(path, { body: formOf("second", { act: "replace" }) });
  const location = replaced.headers.get("location")!;
  assertEquals(replaced.status, 303);
  assertStringIncludes(location, `${path}?done=replace&at=`);
  const shown = await (await console(location)).text();
  assertStringIncludes(shown, "The new version is added");
  assertStringIncludes(shown, "Withdraw version 2 of “Diploma of Ada”?");
  for (const n of [1, 2]) {
    assertStringIncludes(wordsOf(shown), `Statement ${n}, registered: in the log within a minute`);
  }
  const early = await (await console(`${path}?done=withdraw`)).text();
  assertFalse(early.includes('id="result"'), "it is not withdrawn");
  const edit = new URLSearchParams({
    act: "edit",
    title: "Degree <b>",
    type: "Degree",
    publish_hash: "publish",
    expires_on: "",
    public: "on",
  });
  const edited = await console(path, { body: edit });
  const editedAt = edited.headers.get("location")!;
  assertStringIncludes(await (await console(editedAt)).text(), "The description is saved");
  // Nobody else sees it, not on another page, not later, and not without the proof.
  const claims = [
    `${path}?done=edit`,
    editedAt.replace("done=edit", "done=add"),
    `${path}?${new URLSearchParams({ done: "edit", at: "0", proof: "x".repeat(43) })}`,
    `/console/records/${hash}?${editedAt.split("?")[1].replace("edit", "cancel_recovery")}`,
  ];
  for (const claim of claims) {
    assertFalse((await (await console(claim)).text()).includes('id="result"'), claim);
  }
  assertFalse(
    (await (await console(editedAt, { as: "second@example.org" })).text()).includes('id="result"'),
  );
  fixture.clock.now += 10 * MINUTE_MS;
  assertFalse((await (await console(editedAt)).text()).includes('id="result"'));
  const withdraw = new URLSearchParams({ act: "withdraw", reason: "Wrong name" });
  const withdrawnAt = (await console(path, { body: withdraw })).headers.get("location")!;
  assertStringIncludes(await (await console(withdrawnAt)).text(), "The version is withdrawn");

  const [{ versions, ...changed }] = await fixture.list();
  assertEquals(versions.map(({ state }) => state), ["replaced", "withdrawn"]);
  assertEquals(
    [changed.title, changed.public, changed.guessable, changed.expires_at],
    ["Degree <b>", true, false, null],
  );
  const page = await (await console(path)).text();
  for (
    const text of ["Degree &lt;b>", "Wrong name", original.sha256, versions[1].original.sha256]
  ) {
    assertStringIncludes(wordsOf(page), text);
  }
  assertFalse(page.includes('value="withdraw"')); // there is no current version
  const record = await (await console(`/console/records/${hash}`)).text();
  assertStringIncludes(record, "Degree &lt;b>");
  assertStringIncludes(record, "Degree · withdrawn · 2 versions");

  const { entries } = await readAccessLog(fixture.site.services.kv, hash, fixture.clock.now);
  const documents = entries.filter(({ what }) => what.startsWith("document_"));
  assertEquals(documents.length, 4);
  for (const { browser } of documents) assertEquals(browser, ADMINISTRATOR.browser);
  // A result is not shown once it is no longer true.
  const next = formOf("third", { file_hash: "publish" });
  assertEquals(await statusOf(console(path, { body: next })), 303);
  assertFalse((await (await console(withdrawnAt)).text()).includes('id="result"'));
});

Deno.test("a file that the organisation has registered already is added only after a question", async () => {
  await using fixture = await documentsFixture({
    OPS_L1_EMAILS: "admin@example.org,second@example.org",
  });
  const { console, path, site: { services } } = fixture;
  const first = await fixture.add("same", { ...DETAILS, title: "First <b>" });
  const [{ id }] = await fixture.list();
  unwrap(await services.documents.withdraw(id, "Wrong name", "admin@example.org"));
  const second = await fixture.add("other");
  const ask = async (to: string, fields: Record<string, string>) => {
    const response = await console(to, { body: formOf("same", fields) });
    const html = await response.text();
    assertEquals(response.status, 409);
    assertStringIncludes(html, "This file is already registered");
    assertStringIncludes(html, "First &lt;b>");
    assertStringIncludes(wordsOf(html), formatDocumentId(id));
    assertStringIncludes(html, "withdrawn");
    assertStringIncludes(html, 'name="again"');
    return /name="staged" value="([\w-]+)"/.exec(html)![1];
  };
  const forSecond = await ask(second, { act: "replace" });
  const staged = await ask(path, { ...DETAILS, title: "Kept" });
  assertEquals((await fixture.list()).map(({ versions }) => versions.length), [1, 1]);
  // The file is kept for the answer, which only the same administrator can give, and only once.
  const answer = (as: string) =>
    console(path, { as, body: formOf("", { ...DETAILS, title: "Kept", again: "on", staged }, "") });
  const refused = await answer("second@example.org");
  assertEquals(refused.status, 400);
  assertStringIncludes(await refused.text(), "The uploaded file is no longer kept.");
  assertEquals(await statusOf(answer("admin@example.org")), 303);
  assertEquals(await statusOf(answer("admin@example.org")), 400);
  const kept = (await fixture.list()).find(({ title }) => title === "Kept")!;
  assertEquals(kept.versions[0].file_name, "diploma.txt");
  assertEquals(
    await new Response(services.documents.open(kept.versions[0].original)).text(),
    "same",
  );
  unwrap(await services.documents.withdraw(kept.id, "Twice", "admin@example.org"));
  fixture.clock.now += UPLOAD_LIFETIME_MS;
  const late = formOf("", { act: "replace", again: "on", staged: forSecond }, "");
  assertEquals(await statusOf(console(second, { body: late })), 400);
  await fixture.add("same", { ...DETAILS, again: "on" });
  const again = formOf("same", { act: "replace", again: "on" });
  assertEquals(await statusOf(console(second, { body: again })), 303);
  const counts = (await fixture.list()).map(({ versions }) => versions.length);
  assertEquals(counts.toSorted(), [1, 1, 1, 2]);
  assertFalse((await (await console(first)).text()).includes('name="again"'));
});

Deno.test("the administrator decides at every upload whether the hash may be confirmed to anybody", async () => {
  await using fixture = await documentsFixture();
  const { console, hash } = fixture;
  const form = await (await console(`/console/records/${hash}`)).text();
  assertStringIncludes(form, "Who may confirm the file by its hash?");
  assertStringIncludes(form, "By default, only PDFs of 2 KB or more may be confirmed to anybody.");
  const path = await fixture.add("one", { ...DETAILS, publish_hash: "publish" });
  const page = await (await console(path)).text();
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assertEquals(ids.length, new Set(ids).size); // each form has fields of its own
  const guessable = async () => (await fixture.list())[0].guessable;
  assertFalse(await guessable());
  const upload = async (content: string, fields: Record<string, string>) => {
    const body = formOf(content, { act: "replace", ...fields });
    assertEquals(await statusOf(console(path, { body })), 303);
    return await guessable();
  };
  assertFalse(await upload("two", { file_hash: "publish" }));
  assert(await upload("three", {}));
  assertFalse(await upload("four", { file_hash: "publish" }));
  assert(await upload("five", { file_hash: "hide" }));
});

Deno.test("a public document that nobody else could check is added only once somebody has chosen that", async () => {
  await using fixture = await documentsFixture();
  const { console, path } = fixture;
  const shortPdf = await (await createPdf()).save() as Uint8Array<ArrayBuffer>;
  assert(shortPdf.length < 2048);
  const fields = { ...DETAILS, public: "on" };
  const asked = await console(path, { body: formOf(shortPdf, fields, "letter.pdf") });
  const html = await asked.text();
  assertEquals(asked.status, 400);
  assertStringIncludes(html, "“No published match” when they check the file");
  assertEquals(await fixture.list(), []);
  const staged = /name="staged" value="([\w-]+)"/.exec(html)![1];
  const answer = formOf("", { ...fields, publish_hash: "publish", staged }, "");
  assertEquals(await statusOf(console(path, { body: answer })), 303);
  const [{ id, guessable }] = await fixture.list();
  assertFalse(guessable);
  const page = async () => await (await fixture.fetch(`/d/${id}`)).text();
  assertStringIncludes(await page(), 'class="verdict below-5 good"');
  assertFalse((await page()).includes("No published match"));
  // A short new version would hide the hashes of all versions.
  const document = `${path}/${id}`;
  const replace = (more: Record<string, string>) =>
    console(document, { body: formOf("two", { act: "replace", ...more }) });
  const again = await replace({});
  assertEquals(again.status, 400);
  assertStringIncludes(await again.text(), "Choose who may confirm it.");
  assertEquals(await statusOf(replace({ file_hash: "hide" })), 303);
  // The public page must not look like a confirmation that a check then denies.
  assertStringIncludes(await page(), 'class="verdict below-5 open"');
  assertStringIncludes(await page(), "No published");
});

Deno.test("an administrator cannot set an expiry in the past, but can edit a document that has expired", async () => {
  await using fixture = await documentsFixture();
  const { console, path, clock } = fixture;
  clock.now = Date.parse("2026-11-20T12:00:00Z");
  const over = await console(path, { body: formOf("x", { ...DETAILS, expires_on: "2026-11-19" }) });
  assertEquals(over.status, 400);
  assertStringIncludes(await over.text(), "This day is in the past.");
  const document = await fixture.add("x", { ...DETAILS, expires_on: "2026-11-20" });
  clock.now = Date.parse("2026-11-21T12:00:00Z");
  const edit = (changes: Record<string, string>) =>
    console(document, { body: new URLSearchParams({ act: "edit", ...DETAILS, ...changes }) });
  assertEquals(await statusOf(edit({ title: "Degree", expires_on: "2026-11-20" })), 303);
  assertEquals(await statusOf(edit({ expires_on: "2026-11-19" })), 400);
  assertEquals(await statusOf(edit({ expires_on: "2026-11-21" })), 303);
});

Deno.test("a refused form returns the page with what was entered and the reason", async () => {
  await using fixture = await documentsFixture();
  const { console, path } = fixture;
  const refuse = async (body: FormData, status: number, problem: string) => {
    const response = await console(path, { body });
    const html = await response.text();
    assertEquals(response.status, status);
    assertStringIncludes(html, problem);
    return html;
  };
  const untitled = await refuse(
    formOf("x", { ...DETAILS, title: " " }),
    400,
    "The title is missing.",
  );
  assertStringIncludes(untitled, 'value="Diploma"');
  await refuse(formOf("x", { ...DETAILS, expires_on: "2026-02-30" }), 400, "Write a day");
  await refuse(formOf("", DETAILS, ""), 400, "Choose a file.");
  await refuse(formOf("", DETAILS), 400, "This file is empty.");
  const tooLarge = new Uint8Array(UPLOAD_LIMIT + 1);
  await refuse(formOf(tooLarge, DETAILS), 413, "The limit is 10 MiB.");
  const declared = await console(path, {
    body: formOf("x", DETAILS),
    headers: { "content-length": String(UPLOAD_LIMIT + 70_000) },
  });
  assertEquals(await statusOf(Promise.resolve(declared)), 413);
  assertEquals(await fixture.list(), []);
  for (const prefix of ["documents", "document_bytes", "document_uploads"]) {
    assertEquals(await fixture.count(prefix), 0, prefix);
  }

  const page = await fixture.add("first");
  const again = await console(page, { body: formOf("first", { act: "replace" }) });
  assertEquals(again.status, 409);
  assertStringIncludes(await again.text(), "This file is already the current version.");
  const withdraw = new URLSearchParams({ act: "withdraw", reason: "" });
  const unexplained = await console(page, { body: withdraw });
  assertEquals(unexplained.status, 400);
  assertStringIncludes(await unexplained.text(), "The reason is missing.");
  const other = new URLSearchParams({ act: "delete" });
  assertEquals(await statusOf(console(page, { body: other })), 400);
});

Deno.test("a PDF gets an issued copy, and one that cannot be issued is refused with the reason", async () => {
  await using fixture = await documentsFixture();
  const { console, path } = fixture;
  const refused = await console(path, { body: formOf("%PDF-1.7 nothing else", DETAILS) });
  assertEquals(refused.status, 400);
  assertStringIncludes(await refused.text(), "The PDF is empty or damaged.");
  assertEquals(await fixture.count("document_bytes"), 0);

  const page = await fixture.add(await (await createPdf([{}, {}])).save());
  const [{ versions: [{ original, issued, pages }] }] = await fixture.list();
  assertEquals([pages, issued!.pages, issued!.media_type], [2, 2, original.media_type]);
  const words = wordsOf(await (await console(page)).text());
  for (const hash of [original.sha256, issued!.sha256]) assertStringIncludes(words, hash);
});

Deno.test("only full administrators of the record's organisation can manage documents", async () => {
  await using fixture = await documentsFixture();
  const { console, path } = fixture;
  const page = await fixture.add("first");
  const bodies = [
    [path, () => formOf("x", DETAILS)],
    [page, () => formOf("x", { act: "replace" })],
    [page, () => new URLSearchParams({ act: "withdraw", reason: "x" })],
    [page, () => undefined],
  ] as const;
  for (const [to, body] of bodies) {
    const as = "board@example.org";
    assertEquals(await statusOf(console(to, { as, body: body() })), 403);
    const on = "foundation-console";
    assertEquals(await statusOf(console(to, { on, body: body() })), 404);
    const headers = { cookie: "" };
    assertEquals(await statusOf(console(to, { headers, body: body() })), body() ? 303 : 302);
    if (body() === undefined) continue;
    const origin = "https://evil.example";
    assertEquals(await statusOf(console(to, { headers: { origin }, body: body() })), 403);
  }
  // Another record of the organisation does not have the document either.
  const other = await fixture.register({ ...PERSON, email: "grace@example.org" });
  const elsewhere = page.replace(fixture.hash, other);
  assertEquals(await statusOf(console(elsewhere)), 404);
  const [document, ...others] = await fixture.list();
  assertEquals([document.versions.length, others], [1, []]);
});

Deno.test("deleting a record deletes its documents with their bytes", async () => {
  await using fixture = await documentsFixture();
  await fixture.add("first");
  await fixture.add("second");
  assertEquals(await fixture.site.services.records.deletion.deleteRecord(fixture.hash), {
    ok: true,
    deleted: 1,
  });
  for await (const { key, value } of fixture.site.services.kv.list({ prefix: [] })) {
    const text = Deno.inspect([key, value], { depth: 9 });
    assertFalse(String(key[0]).startsWith("document"), text);
    assertFalse(text.includes("Diploma"), text);
  }
});

Deno.test("nothing can be added to a corrected record, whose documents have moved", async () => {
  await using fixture = await documentsFixture();
  const { documents, kv } = fixture.site.services;
  await fixture.add("first");
  const other = await fixture.register({ ...PERSON, email: "ada.l@example.org" });
  const { value: row } = await kv.get<object>(recordRows.key(fixture.hash));
  await kv.set(recordRows.key(fixture.hash), { ...row, replaced_by: other });
  await documents.recordData.move!(fixture.hash, other);
  const { console, path } = fixture;
  assertEquals(await statusOf(console(path, { body: formOf("x", DETAILS) })), 409);
  const html = await (await console(`/console/records/${fixture.hash}`)).text();
  assertFalse(html.includes("Add a document"));
  assertEquals((await documents.list(other)).length, 1);
  assert((await (await console(`/console/records/${other}`)).text()).includes("Diploma of Ada"));
});
