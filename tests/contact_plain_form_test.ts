import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { CONTACT_FIELDS, HONEYPOT, mainControlOf } from "../lib/features/contact/fields.ts";
import { readContact } from "../lib/features/contact/store.ts";
import { logHalted } from "../lib/features/log/store/tables.ts";
import { KvBusyError } from "../lib/platform/kv/mod.ts";
import { type ContactFixture, contactFixture, errorOf, PERSON, statusOf } from "./contact_site.ts";

/** The fields as a browser posts them, from a page that was opened eight seconds ago. */
const fieldsOf = ({ clock }: ContactFixture, change: Record<string, string> = {}) => ({
  name: "Ada Example",
  organisation: "",
  email: "ada@example.org",
  mobile_country: "NZ",
  mobile_number: "021 123 4567",
  enquiry_type: "Technical",
  message: "Line 1\r\nLine 2",
  [HONEYPOT]: "",
  idempotency_key: crypto.randomUUID(),
  rendered_at: new Date(clock.now - 8_000).toISOString(),
  ...change,
});
const without = (fields: Record<string, string>, name: string) => {
  const { [name]: _, ...rest } = fields;
  return rest;
};
const FROM = { headers: { origin: "http://investor.localhost:8000" } };
const HASH = /<code>([0-9a-f]{64})<\/code>/;

Deno.test("a posted form without an enquiry type is registered", async () => {
  await using fixture = await contactFixture();
  const response = await fixture.post(fieldsOf(fixture, { enquiry_type: "" }), FROM);
  const hash = HASH.exec(await response.text())![1];
  const { record } = (await readContact(fixture.site.services.kv, hash))!;
  assertEquals([response.status, record.enquiry_type], [201, undefined]);
});

const valueOf = (html: string, name: string) =>
  new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ");

Deno.test("a posted form returns a receipt with the hash, the masked data, the event and the QR code", async () => {
  await using fixture = await contactFixture();
  const response = await fixture.post(fieldsOf(fixture), FROM);
  assertEquals(response.status, 201);
  assertMatch(response.headers.get("content-type")!, /^text\/html/);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await response.text();
  const hash = HASH.exec(html)![1];
  const { record } = (await readContact(fixture.site.services.kv, hash))!;
  assertEquals(record, {
    name: "Ada Example",
    email: "ada@example.org",
    mobile: "+64211234567",
    enquiry_type: "Technical",
    message: "Line 1\nLine 2",
  });
  for (const shown of ["a•••@e•••.org", "+64 ••• ••• 567", "hash_generated"]) {
    assertStringIncludes(html, shown);
  }
  assertStringIncludes(html, `href="http://trust.localhost:8000/verify?hash=${hash}"`);
  assertMatch(
    html,
    /<a href="http:\/\/investor\.localhost:8000\/".*Back to investor\.localhost:8000/s,
  );
  assertMatch(html, /<svg class="qr"[^>]*role="img"/);
  assertFalse(/Example|ada@example|<script|\sstyle="/.test(html));
});

Deno.test("a form that is posted twice creates one record", async () => {
  await using fixture = await contactFixture();
  const sent = fieldsOf(fixture);
  const [one, other] = await Promise.all(
    [sent, sent].map(async (fields) => HASH.exec(await (await fixture.post(fields)).text())![1]),
  );
  assertEquals(one, other);
});

Deno.test("a refused form shows the issues in a summary and at the fields, and keeps what was typed", async () => {
  await using fixture = await contactFixture();
  const typed = fieldsOf(fixture, {
    name: "",
    organisation: `"><script>alert(1)</script>`,
    email: "ada@",
    mobile_number: "12",
    message: "</textarea><b>&amp;",
  });
  const response = await fixture.post(typed, FROM);
  assertEquals(response.status, 400);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await response.text();
  assertFalse(/<script|<b>/.test(html));
  const attribute = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  for (const name of ["organisation", "email", "mobile_number"] as const) {
    assertEquals(valueOf(html, name), attribute(typed[name]));
  }
  assertStringIncludes(html, "&lt;/textarea>&lt;b>&amp;amp;</textarea>");
  assertMatch(html, /<option\s+value="NZ" selected/);
  assertMatch(html, /<option\s+value="Technical" selected/);
  assertEquals(valueOf(html, "idempotency_key"), typed.idempotency_key);
  assertEquals(valueOf(html, "rendered_at"), typed.rendered_at);
  assertStringIncludes(
    html,
    `action="http://api.localhost:8000/api/ir/register?organisation=commercial"`,
  );
  assertMatch(html, /<title>Please check your enquiry/);

  const summary =
    /<div class="enquiry-problem pad-4-5 round raised" role="alert"[^>]*autofocus[^>]*>(.*?)<\/div>/s
      .exec(html)![1];
  const issues = [
    ["name", "Enter your name."],
    ["email", "This is not an email address that can receive email."],
    [
      "mobile_number",
      "There is no such number in New Zealand. Write all of it, with the area code or +64.",
    ],
  ];
  for (const [id, text] of issues) {
    assertStringIncludes(summary, `<a href="#field-${id}">${text}</a>`);
    assertStringIncludes(html, `<span class="problem" id="field-${id}-problem">${text}</span>`);
    assertMatch(html, new RegExp(`<input[^>]* id="field-${id}"[^>]* aria-invalid="true"`));
  }
});

Deno.test("a refused form keeps the text of every field", async () => {
  await using fixture = await contactFixture();
  const texts = CONTACT_FIELDS.filter(({ kind }) => kind !== "choice").map(mainControlOf);
  const typed = Object.fromEntries(texts.map((name) => [name, `typed into ${name}`]));
  const response = await fixture.post(typed, FROM);
  assertEquals(response.status, 400);
  const html = await response.text();
  for (const text of Object.values(typed)) assertStringIncludes(html, text);
});

Deno.test("text that is too long is refused and returned in full", async () => {
  await using fixture = await contactFixture();
  const message = "a line of forty characters, spoken often ".repeat(150);
  const response = await fixture.post(fieldsOf(fixture, { message }), FROM);
  const html = await response.text();
  assertEquals(response.status, 400);
  assertStringIncludes(html, message.trimEnd());
  assertFalse(/maxlength/i.test(html), "the browser does not truncate it");
});

Deno.test("a corrected form is registered", async () => {
  await using fixture = await contactFixture();
  const wrong = fieldsOf(fixture, { email: "" });
  const html = await (await fixture.post(wrong, FROM)).text();
  const corrected = {
    ...wrong,
    email: "ada@example.org",
    idempotency_key: valueOf(html, "idempotency_key")!,
    rendered_at: valueOf(html, "rendered_at")!,
  };
  const from = { headers: { origin: "http://api.localhost:8000" } };
  const response = await fixture.post(corrected, from);
  assertEquals(response.status, 201);
  assertStringIncludes(await response.text(), "Back to commercial.localhost:8000");
});

Deno.test("a form that is sent 50 ms too early is registered 50 ms later", async () => {
  await using fixture = await contactFixture();
  const rendered_at = new Date(fixture.clock.now - 1_950).toISOString();
  const sent = performance.now();
  assertEquals(await statusOf(fixture.post(fieldsOf(fixture, { rendered_at }), FROM)), 201);
  assert(performance.now() - sent >= 49);
});

Deno.test("a form without a valid time is too fast, and passes two seconds later", async () => {
  await using fixture = await contactFixture();
  const { now } = fixture.clock;
  const tooFast = [
    fieldsOf(fixture, { rendered_at: new Date(now + 60_000).toISOString() }),
    fieldsOf(fixture, { rendered_at: "yesterday" }),
    fieldsOf(fixture, { rendered_at: "" }),
    without(fieldsOf(fixture), "rendered_at"),
  ];
  for (const fields of tooFast) {
    const response = await fixture.post(fields, FROM);
    assertEquals(response.status, 400);
    const html = await response.text();
    assertStringIncludes(textOf(html), "too fast for a person");
    assertEquals(valueOf(html, "name"), "Ada Example");
    const rendered_at = valueOf(html, "rendered_at")!;
    fixture.clock.now += 2_000;
    assertEquals(await statusOf(fixture.post({ ...fields, rendered_at }, FROM)), 201);
    fixture.clock.now = now;
  }
});

Deno.test("a form that was changed after it arrived gets 409 and a new key", async () => {
  await using fixture = await contactFixture();
  const sent = fieldsOf(fixture);
  await statusOf(fixture.post(sent, FROM));
  const changed = { ...sent, message: "Changed" };
  const response = await fixture.post(changed, FROM);
  assertEquals(response.status, 409);
  const html = await response.text();
  assertStringIncludes(textOf(html), "you have changed it since");
  assertStringIncludes(html, "Changed</textarea>");
  const idempotency_key = valueOf(html, "idempotency_key")!;
  assert(idempotency_key !== sent.idempotency_key);
  assertEquals(await statusOf(fixture.post({ ...changed, idempotency_key }, FROM)), 201);
});

Deno.test("a client over its limit gets 429 and the form with the waiting time", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  await statusOf(fixture.post(fieldsOf(fixture), FROM));
  const response = await fixture.post(fieldsOf(fixture), FROM);
  assertEquals([response.status, response.headers.get("retry-after")], [429, "3600"]);
  const html = await response.text();
  assertStringIncludes(textOf(html), "Try again in 60 minutes");
  assertEquals(valueOf(html, "email"), "ada@example.org");
});

Deno.test("a store that stays busy returns 503 and the form", async () => {
  await using fixture = await contactFixture();
  fixture.site.services.chains.start = () => Promise.reject(new KvBusyError(100));
  const response = await fixture.post(fieldsOf(fixture), FROM);
  assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
  assertEquals(valueOf(await response.text(), "name"), "Ada Example");
});

Deno.test("a halted log returns 503 and the form, and JSON with a code of its own", async () => {
  await using fixture = await contactFixture();
  const halted = { by: "anchor", at: "2026-03-01T10:00:00.000Z", checkpoint: "", response: "" };
  await fixture.site.services.kv.set(logHalted.key(), halted);
  const response = await fixture.post(fieldsOf(fixture), FROM);
  assertEquals([response.status, response.headers.get("retry-after")], [503, "300"]);
  const html = await response.text();
  assertEquals(valueOf(html, "name"), "Ada Example");
  assertStringIncludes(html, "so nothing was changed");
  const { status, error } = await errorOf(await fixture.send({ ...PERSON }));
  assertEquals([status, error, await fixture.count("contacts")], [503, "log_halted", 0]);
});

Deno.test("a form without a valid key is registered or gets a new key", async () => {
  await using fixture = await contactFixture();
  const noKey = without(fieldsOf(fixture), "idempotency_key");
  assertEquals(await statusOf(fixture.post(noKey, FROM)), 201);
  const invalid = [{ ...noKey, name: "" }, fieldsOf(fixture, { idempotency_key: "a b" })];
  for (const fields of invalid) {
    const html = await (await fixture.post(fields, FROM)).text();
    assertMatch(valueOf(html, "idempotency_key")!, /^[\w-]{36}$/);
  }
});

Deno.test("a form with the honeypot filled in gets a receipt, and nothing is stored", async () => {
  await using fixture = await contactFixture();
  await fixture.site.services.chains.keys();
  const before = await fixture.entries();
  const response = await fixture.post(fieldsOf(fixture, { [HONEYPOT]: "12" }), FROM);
  assertEquals(response.status, 201);
  assertMatch(await response.text(), HASH);
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 0);
});

Deno.test("a form posted by another site returns 403", async () => {
  await using fixture = await contactFixture();
  for (const origin of ["null", "https://evil.example"]) {
    const sent = fixture.post(fieldsOf(fixture), { headers: { origin } });
    assertEquals(await statusOf(sent), 403);
  }
});

Deno.test("a form post that accepts JSON gets JSON", async () => {
  await using fixture = await contactFixture();
  const headers = { accept: "application/json" };
  const done = await fixture.post(fieldsOf(fixture), { headers });
  assertEquals([done.status, (await done.json()).events.length], [201, 1]);
  const bad = await fixture.post(fieldsOf(fixture, { name: "" }), { headers });
  assertEquals([bad.status, (await bad.json()).issues], [400, { name: "Enter your name." }]);
});

Deno.test("on the workbench the form posts to the workbench", async () => {
  await using fixture = await contactFixture();
  const response = await fixture.post(fieldsOf(fixture, { name: "" }), { on: "workbench" });
  const action = `action="http://localhost:8000/api/ir/register?organisation=commercial"`;
  assertStringIncludes(await response.text(), action);
});
