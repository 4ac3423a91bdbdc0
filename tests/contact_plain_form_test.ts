import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { HONEYPOT } from "../lib/contact/fields.ts";
import { readContact } from "../lib/contact/store.ts";
import { contactFixture } from "./contact_site.ts";

const fixture = await contactFixture();
const { services } = fixture.site;

/** As a browser sends it, from a page that was opened eight seconds ago. */
const fields = (change: Record<string, string> = {}) => ({
  name: "Ada Example",
  organisation: "",
  email: "ada@example.org",
  mobile_country: "NZ",
  mobile_number: "021 123 4567",
  enquiry_type: "Technical",
  message: "Line 1\r\nLine 2",
  [HONEYPOT]: "",
  idempotency_key: crypto.randomUUID(),
  rendered_at: new Date(fixture.clock.now - 8_000).toISOString(),
  ...change,
});
const from = { headers: { origin: "http://investor.localhost:8000" } };
const without = (name: string) => {
  const { [name]: _, ...rest } = fields() as Record<string, string>;
  return rest;
};
const valueOf = (html: string, name: string) =>
  new RegExp(`<input[^>]* name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ");

Deno.test("the form is answered with a receipt: hash, masked data, event, QR code and the way on", async () => {
  const response = await fixture.post(fields(), from);
  assertEquals(response.status, 201);
  assertMatch(response.headers.get("content-type")!, /^text\/html/);
  assertEquals(response.headers.get("cache-control"), "no-store");
  const html = await response.text();
  const hash = /<code>([0-9a-f]{64})<\/code>/.exec(html)![1];
  const { record } = (await readContact(services.kv, hash))!;
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
  assertMatch(html, /<svg class="qr"[^>]*role="img"/);
  assertFalse(/Example|ada@example|<script|\sstyle="/.test(html));
});

Deno.test("sent twice, by a reload or a double click, it is one record and the same receipt", async () => {
  const sent = fields();
  const pages = await Promise.all([fixture.post(sent, from), fixture.post(sent, from)]);
  const hashes = await Promise.all(
    pages.map(async (page) => /<code>([0-9a-f]{64})<\/code>/.exec(await page.text())![1]),
  );
  assertEquals(hashes[0], hashes[1]);
});

Deno.test("what is wrong stands at the fields and in a summary, and all that was typed is kept", async () => {
  const typed = fields({
    name: "",
    organisation: `"><script>alert(1)</script>`,
    email: "ada@",
    mobile_number: "12",
    message: "</textarea><b>&amp;",
  });
  const response = await fixture.post(typed, from);
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
  assertStringIncludes(html, `action="http://api.localhost:8000/api/ir/register"`);

  const summary = /<div class="enquiry-problem" role="alert"[^>]*autofocus[^>]*>(.*?)<\/div>/s
    .exec(html)![1];
  for (
    const [id, text] of [
      ["name", "Enter your name."],
      ["email", "This is not an email address that can receive mail."],
      ["mobile_number", "This is not a number in New Zealand (+64)."],
    ]
  ) {
    assertStringIncludes(summary, `<a href="#field-${id}">${text}</a>`);
    assertStringIncludes(html, `<span class="problem" id="field-${id}-problem">${text}</span>`);
    assertMatch(
      html,
      new RegExp(`<input[^>]* id="field-${id}"[^>]* aria-invalid="true"`),
    );
  }
  assertMatch(html, /<title>Please check your enquiry/);
});

Deno.test("text that is too long is told and comes back whole, and nothing cuts it off before", async () => {
  const message = "a line of forty characters, spoken often ".repeat(150);
  const response = await fixture.post(fields({ message }), from);
  const html = await response.text();
  assertEquals(response.status, 400);
  assertStringIncludes(html, message.trimEnd());
  assertFalse(/maxlength/i.test(html));
});

Deno.test("corrected and sent again, it is registered", async () => {
  const wrong = fields({ email: "" });
  const html = await (await fixture.post(wrong, from)).text();
  const again = {
    ...wrong,
    email: "ada@example.org",
    idempotency_key: valueOf(html, "idempotency_key")!,
    rendered_at: valueOf(html, "rendered_at")!,
  };
  assertEquals(
    (await fixture.post(again, { headers: { origin: "http://api.localhost:8000" } })).status,
    201,
  );
});

Deno.test("a form that was just rendered, or does not say when, is too fast, and passes once read", async () => {
  const now = fixture.clock.now;
  const fresh = [
    fields({ rendered_at: new Date(now - 1_999).toISOString() }),
    fields({ rendered_at: new Date(now + 60_000).toISOString() }),
    fields({ rendered_at: "yesterday" }),
    fields({ rendered_at: "" }),
    without("rendered_at"),
  ];
  for (const typed of fresh) {
    const response = await fixture.post(typed as Record<string, string>, from);
    assertEquals(response.status, 400);
    const html = await response.text();
    assertStringIncludes(textOf(html), "too fast for a person");
    assertEquals(valueOf(html, "name"), "Ada Example");
    const rendered_at = valueOf(html, "rendered_at")!;
    fixture.clock.now += 2_000;
    const again = await fixture.post({ ...typed as Record<string, string>, rendered_at }, from);
    await again.body?.cancel();
    assertEquals(again.status, 201);
    fixture.clock.now = now;
  }
});

Deno.test("gone back to and changed, it says so, and is sent as a new enquiry the next time", async () => {
  const sent = fields();
  await fixture.post(sent, from);
  const response = await fixture.post({ ...sent, message: "Changed" }, from);
  assertEquals(response.status, 409);
  const html = await response.text();
  assertStringIncludes(textOf(html), "you have changed it since");
  assertStringIncludes(html, "Changed</textarea>");
  const idempotency_key = valueOf(html, "idempotency_key")!;
  assert(idempotency_key !== sent.idempotency_key);
  const again = await fixture.post({ ...sent, message: "Changed", idempotency_key }, from);
  await again.body?.cancel();
  assertEquals(again.status, 201);
});

Deno.test("who is over the limit is told when to come back, with the form as it was", async () => {
  await using limited = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  await limited.post(fields(), from);
  const response = await limited.post(fields(), from);
  assertEquals([response.status, response.headers.get("retry-after")], [429, "3600"]);
  const html = await response.text();
  assertStringIncludes(textOf(html), "Try again in 60 minutes");
  assertEquals(valueOf(html, "email"), "ada@example.org");
});

Deno.test("a store that is too busy gives the form back too", async () => {
  await using busy = await contactFixture();
  await busy.site.services.chains.keys();
  const { kv } = busy.site.services;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const commit = atomic();
    commit.commit = () => Promise.resolve({ ok: false });
    return commit;
  };
  const response = await busy.post(fields(), from);
  assertEquals([response.status, response.headers.get("retry-after")], [503, "5"]);
  assertEquals(valueOf(await response.text(), "name"), "Ada Example");
});

Deno.test("a form without a key is registered, and gets one where it comes back", async () => {
  assertEquals((await fixture.post(without("idempotency_key"), from)).status, 201);
  const html = await (await fixture.post({ ...without("idempotency_key"), name: "" }, from)).text();
  assertMatch(valueOf(html, "idempotency_key")!, /^[\w-]{36}$/);
  const bad = await (await fixture.post(fields({ idempotency_key: "a b" }), from)).text();
  assertMatch(valueOf(bad, "idempotency_key")!, /^[\w-]{36}$/);
});

Deno.test("who fills the trap gets a receipt, and leaves no trace", async () => {
  const before = await fixture.entries();
  const mails = (await fixture.mails()).length;
  const response = await fixture.post(fields({ [HONEYPOT]: "12" }), from);
  assertEquals(response.status, 201);
  assertMatch(await response.text(), /<code>[0-9a-f]{64}<\/code>/);
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, mails);
});

Deno.test("a page of another site cannot post it", async () => {
  for (const origin of ["null", "https://evil.example"]) {
    const response = await fixture.post(fields(), { headers: { origin } });
    await response.body?.cancel();
    assertEquals(response.status, 403);
  }
});

Deno.test("a program that posts the form and asks for JSON gets JSON", async () => {
  const headers = { accept: "application/json" };
  const done = await fixture.post(fields(), { headers });
  assertEquals([done.status, (await done.json()).events.length], [201, 1]);
  const bad = await fixture.post(fields({ name: "" }), { headers });
  assertEquals([bad.status, (await bad.json()).issues], [400, { name: "Enter your name." }]);
});

Deno.test("on the workbench the form leads to the workbench", async () => {
  const html = await (await fixture.post(fields({ name: "" }), { on: "workbench" })).text();
  assertStringIncludes(html, `action="http://localhost:8000/api/ir/register"`);
});
