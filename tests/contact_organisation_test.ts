import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { ownerOf, type StoredContact } from "../lib/features/contact/mod.ts";
import { readContact } from "../lib/features/contact/store.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { type ContactFixture, contactFixture, errorOf, PERSON } from "./contact_site.ts";

const NAMES = { foundation: "Open Records Foundation", commercial: "Attest Systems" };
type Key = keyof typeof NAMES;

const RUN_BY = "Attest Systems runs this page, also for records that are registered with " +
  "Open Records Foundation, a separate organisation, which publishes the standard.";

const originOf = (surface: SurfaceName) => `http://${surface}.localhost:8000`;

/** Registers an enquiry from an origin, and returns the organisation that it is stored with. */
async function storedFor(
  fixture: ContactFixture,
  { origin, query = "" }: { origin?: string; query?: string },
): Promise<Key | undefined> {
  const headers: Record<string, string> = origin === undefined ? {} : { origin };
  const response = await fixture.send(PERSON, { headers, query });
  assertEquals(response.status, 201, origin);
  const { hash, organisation } = await response.json();
  const stored = (await readContact(fixture.site.services.kv, hash))!.organisation;
  assertEquals(organisation, NAMES[stored!]);
  return stored;
}

const OTHER = "https://partner.example";
const CASES: [title: string, from: { origin?: string; query?: string }, owner: Key][] = [
  ["from the foundation's site", { origin: originOf("foundation") }, "foundation"],
  ["from the commercial site", { origin: originOf("commercial") }, "commercial"],
  ["from the investor site", { origin: originOf("investor") }, "commercial"],
  [
    "from the commercial site that asks for the foundation",
    { origin: originOf("commercial"), query: "?organisation=foundation" },
    "commercial",
  ],
  [
    "from the foundation's site that asks for the commercial organisation",
    { origin: originOf("foundation"), query: "?organisation=commercial" },
    "foundation",
  ],
  ["from another site", { origin: OTHER }, "commercial"],
  [
    "from another site that asks for the foundation",
    { origin: OTHER, query: "?organisation=foundation" },
    "foundation",
  ],
  ["from a program", {}, "commercial"],
  [
    "from a program that asks for the foundation",
    { query: "?organisation=foundation" },
    "foundation",
  ],
  [
    "from a form that the API has shown again",
    { origin: originOf("api"), query: "?organisation=foundation" },
    "foundation",
  ],
];

for (const [title, from, owner] of CASES) {
  Deno.test(`an enquiry ${title} is stored with the ${owner} organisation`, async () => {
    await using fixture = await contactFixture({ CONTACT_ORIGINS: OTHER });
    assertEquals(await storedFor(fixture, from), owner);
  });
}

Deno.test("an unknown organisation in the endpoint's URL returns 400 and stores nothing", async () => {
  await using fixture = await contactFixture();
  const { status, error, issues } = await errorOf(
    await fixture.send(PERSON, { query: "?organisation=acme" }),
  );
  assertEquals([status, error], [400, "invalid_request"]);
  assertEquals(Object.keys(issues!), ["organisation"]);
  assertEquals(await fixture.count("contacts"), 0);
});

Deno.test("a contact without an organisation belongs to the commercial one", () => {
  assertEquals(ownerOf({ record: {} } as StoredContact), "commercial");
});

for (const key of ["foundation", "commercial"] as const) {
  Deno.test(`mails about an enquiry on the ${key} site are from its organisation and name it`, async () => {
    await using fixture = await contactFixture({
      FOUNDATION_MAIL_FROM: "Foundation <no-reply@f.example>",
      COMMERCIAL_MAIL_FROM: "Company <no-reply@c.example>",
    });
    await storedFor(fixture, { origin: originOf(key) });
    const from = {
      foundation: "Foundation <no-reply@f.example>",
      commercial: "Company <no-reply@c.example>",
    };
    const other = NAMES[key === "foundation" ? "commercial" : "foundation"];
    const mails = await fixture.mails();
    assertEquals(mails.map(({ to }) => to), ["ada.q@mail.example.org"]);
    for (const mail of mails) {
      assertEquals(mail.from, from[key]);
      assertStringIncludes(mail.subject, NAMES[key]);
      for (const text of [mail.text, mail.html, mail.subject]) assertFalse(text.includes(other));
    }
  });

  Deno.test(`without scripts, the ${key} site's form, refusal, receipt and confirmation name only its organisation and who runs the page`, async () => {
    await using fixture = await contactFixture();
    const { site } = fixture;
    const other = NAMES[key === "foundation" ? "commercial" : "foundation"];
    const shows = (html: string, heading: string) => {
      assertStringIncludes(html, `<h1>${heading}</h1>`);
      assertFalse(/<main.*?<\/main>/s.exec(html)![0].includes(other), heading);
    };
    const separate = /<p>(?:(?!<\/p>).)* is a separate organisation\.<\/p>/;
    const home = await (await site.request(key, "/")).text();
    assertStringIncludes(home, `href="/contact"`);
    const form = await (await site.request(key, "/contact")).text();
    shows(form, `Contact ${NAMES[key]}`);
    const [footer] = /<footer.*?<\/footer>/s.exec(form)!;
    assertMatch(footer, separate);
    assertFalse(footer.replace(separate, "").includes(other));
    const action = new URL(/<form[^>]* action="(http[^"]+)"/.exec(form)![1]);
    const name = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(form)![1];
    fixture.clock.now += 8_000;
    const fields = {
      name: "Ada",
      email: "ada@",
      enquiry_type: "Technical",
      mobile_country: "AU",
      mobile_number: "0412345678",
      message: "Hello",
      rendered_at: name("rendered_at"),
      idempotency_key: name("idempotency_key"),
    };
    const query = action.search;
    const refused = await fixture.post(fields, { headers: { origin: originOf(key) }, query });
    assertEquals(refused.status, 400);
    const again = await refused.text();
    shows(again, `Contact ${NAMES[key]}`);
    // The browser resends the form from the API's own page.
    const next = new URL(/<form[^>]* action="([^"]+)"/.exec(again)![1]);
    assertEquals(next.search, query);
    const sent = await fixture.post({ ...fields, email: "ada@example.org" }, {
      headers: { origin: originOf("api") },
      query: next.search,
    });
    assertEquals(sent.status, 201);
    shows(await sent.text(), `Your enquiry to ${NAMES[key]} is registered`);
    const [mail] = await fixture.mails();
    for (const part of [mail.text, mail.html]) {
      assertStringIncludes(part, site.services.config.organisations[key].contactEmail);
      assertStringIncludes(part, "You receive this because somebody sent the contact form");
      assertFalse(part.includes(other));
    }
    const { pathname, search } = new URL(mail.link!);
    const confirm = await (await site.request("trust", pathname + search)).text();
    assertStringIncludes(confirm, RUN_BY);
    shows(confirm.replace(RUN_BY, ""), "Confirm your email address");
    assertStringIncludes(await (await site.request("trust", "/my-record")).text(), RUN_BY);
    assert(confirm.includes(`contact form of ${NAMES[key]}`));
  });
}

Deno.test("on the workbench the form is the commercial organisation's", async () => {
  await using fixture = await contactFixture();
  const html = await (await fixture.site.request("workbench", "/contact")).text();
  assertStringIncludes(html, "<h2>Contact Attest Systems</h2>");
});
