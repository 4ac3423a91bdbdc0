import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { searchConsole } from "../lib/features/console/search.ts";
import type { SearchResults } from "../lib/features/console/search_results.ts";
import type { OrganisationKey, SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { holdKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { nextTask } from "../lib/platform/http/testing/streams.ts";
import { heldTimers } from "../lib/testing/held_timers.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { paymentEvent, signStripe } from "../sandbox/payment_events.ts";
import { ADMIN, type BankSite, BOARD, createBankSite, STRANGER } from "./bank_site.ts";

const SECRETS: Record<OrganisationKey, string> = {
  foundation: `whsec_${btoa("the secret of foundation payments")}`,
  commercial: `whsec_${btoa("the secret of commercial payments")}`,
};
const CONSOLES: Record<OrganisationKey, SurfaceName> = {
  foundation: "foundation-console",
  commercial: "commercial-console",
};
const PATH = "/console/search";

/** Creates a site whose organisations have a record and a payment each. */
async function createSearchSite() {
  const logged: unknown[] = [];
  const fixture = await createBankSite(
    {
      CONTACT_CLIENT_LIMIT: "0",
      FOUNDATION_PAYMENT_WEBHOOK_SECRET: SECRETS.foundation,
      COMMERCIAL_PAYMENT_WEBHOOK_SECRET: SECRETS.commercial,
    },
    {},
    { log: (entry) => void logged.push(entry) },
  );
  const hashes = {} as Record<OrganisationKey, string>;
  for (const organisation of ["foundation", "commercial"] as const) {
    hashes[organisation] = await register(fixture, organisation);
    await pay(fixture, organisation);
  }
  return { ...fixture, hashes, logged };
}

async function register({ site }: BankSite, organisation: OrganisationKey): Promise<string> {
  const response = await site.request("api", `/api/ir/register?organisation=${organisation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name: `Ada of ${organisation}`,
      organisation: "Zephyrine Holdings",
      email: `ada.${organisation}@mail.example.org`,
      enquiry_type: "Investor",
      elapsed_ms: 8_000,
    }),
  });
  assertEquals(response.status, 201);
  return (await response.json()).hash;
}

/** Adds contacts that a search reads after those of the site. */
async function pay({ site, time }: BankSite, organisation: OrganisationKey): Promise<void> {
  const created = Math.floor(time.now / 1000);
  const event = paymentEvent({
    created,
    payment: `pi_${organisation}`,
    amount: 123_450,
    description: "Assessment of xylophones",
  });
  const { body, headers } = signStripe(JSON.stringify(event), SECRETS[organisation], created);
  const response = await site.request(CONSOLES[organisation], "/api/payments/webhook", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

async function search(
  fixture: BankSite,
  q: string,
  surface: SurfaceName = "commercial-console",
  email: string | null = ADMIN,
): Promise<SearchResults> {
  const response = await fixture.request(surface, PATH, email, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ q }),
  });
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  return await response.json();
}

const textsOf = ({ groups }: SearchResults, title: string) =>
  groups.find((group) => group.title === title)?.results
    .map(({ href, title, detail }) => `${href} ${title} ${detail}`) ?? [];

Deno.test("/console/search finds records, payments and accounts of the console's organisation only", async () => {
  await using fixture = await createSearchSite();
  for (const organisation of ["foundation", "commercial"] as const) {
    const other = organisation === "foundation" ? "commercial" : "foundation";
    const find = (q: string) => search(fixture, q, CONSOLES[organisation]);
    const hash = fixture.hashes[organisation];
    for (const q of [hash.slice(0, 8), hash.toUpperCase(), "ADA of", "zephyrine h", "ada."]) {
      const found = textsOf(await find(q), "Records");
      assertEquals(found.length, 1, q);
      assertStringIncludes(found[0], `/console/records/${hash} Record ${hash.slice(0, 8)}… Ada of`);
    }
    const enquiries = textsOf(await find(`ada.${organisation}@mail.example.org`), "Enquiries");
    assertEquals(enquiries.length, 1);
    assert(enquiries[0].startsWith(`/console/inbox/${hash} Enquiry ${hash.slice(0, 8)}… Ada of`));
    for (const q of [fixture.hashes[other], `ada.${other}@mail`, `pi_${other}`]) {
      assertEquals((await find(q)).groups, [], q);
    }
    for (const q of [`pi_${organisation}`, "$1,234.50", "1234.5", "1234", "assessment xylo"]) {
      const found = textsOf(await find(q), "Payments");
      assertEquals(found.length, 1, q);
      assertStringIncludes(found[0], "$1,234.50 USD Assessment of xylophones · Succeeded");
    }
    assertEquals(textsOf(await find("1234.51"), "Payments"), []);
    const { accounts } = await fixture.site.services.treasuries[organisation].accounts();
    const found = textsOf(await find("operating"), "Accounts");
    assertEquals(found.length, 1);
    const { id } = accounts.find(({ nickname }) => nickname === "Operating")!;
    const link = organisation === "commercial" ? `/console/finance/${id}` : "/console/finance";
    assert(found[0].startsWith(`${link} Operating ••`), found[0]);
  }
  assert(!JSON.stringify(fixture.logged).includes("xylo"), "the text is not logged");
});

Deno.test("/console/search finds only pages for a board member, and nothing for anybody else", async () => {
  await using fixture = await createSearchSite();
  const surface = "commercial-console";
  const { groups: [pages, ...others] } = await search(fixture, "", surface, BOARD);
  const paths = pages.results.map(({ href }) => href);
  assertEquals([pages.title, others], ["Pages", []]);
  assert(paths.includes("/console/records") && !paths.includes("/console/surfaces"), `${paths}`);
  const texts = [
    fixture.hashes.commercial,
    "ada",
    "pi_commercial",
    "operating",
    "1234.50",
    "audit",
  ];
  for (const q of texts) {
    assertEquals((await search(fixture, q, surface, BOARD)).groups, [], q);
  }
  assertEquals(textsOf(await search(fixture, "bank acc"), "Pages").length, 1);
  for (const [email, status] of [[STRANGER, 403], [null, 302]] as const) {
    const response = await fixture.request(surface, `${PATH}?q=ada`, email);
    assertEquals(response.status, status);
    assert(!(await response.text()).includes("Ada of"));
  }
});

Deno.test("/console/search finds pages by words that people use for them", async () => {
  await using fixture = await createBankSite();
  for (
    const [q, paths] of [
      ["money", ["/console/finance", "/console/payments"]],
      ["bounced", ["/console/mail"]],
      ["who did what", ["/console/audit"]],
    ] as const
  ) {
    const { groups } = await search(fixture, q);
    const found = groups.flatMap(({ results }) => results.map(({ href }) => href));
    assertEquals(found, [...paths], q);
  }
});

Deno.test("/console/search is a page with a form in browsers, and limits the length of the text", async () => {
  await using fixture = await createSearchSite();
  const surface = "commercial-console";
  const headers = { accept: "text/html" };
  const found = await fixture.request(surface, PATH, ADMIN, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body: "q=Ada+of",
  });
  const html = await found.text();
  assertEquals([found.status, found.headers.get("cache-control")], [200, "no-store"]);
  assertStringIncludes(html, `href="/console/records/${fixture.hashes.commercial}"`);
  assertStringIncludes(html, 'value="Ada of"');
  const nothing = await fixture.request(surface, `${PATH}?q=nothing-like-it`, ADMIN, { headers });
  assertStringIncludes(await nothing.text(), "Nothing found for “nothing-like-it”");

  const long = `${PATH}?q=${"a".repeat(255)}`;
  const refused = await fixture.request(surface, long, ADMIN, { headers });
  assertEquals(refused.status, 400);
  assertStringIncludes(await refused.text(), "Enter at most 254 characters.");
  const json = await fixture.request(surface, long, ADMIN, {
    headers: { accept: "application/json" },
  });
  assertEquals([json.status, (await json.json()).error], [400, "invalid_request"]);
});

Deno.test("/console/search finds an enquiry until it is closed", async () => {
  await using fixture = await createSearchSite();
  const { hashes: { commercial: hash }, site: { services: { inbox } } } = fixture;
  assertEquals(textsOf(await search(fixture, "Ada of"), "Enquiries").length, 1);
  const actor = { organisation: "commercial", by: ADMIN, hash } as const;
  await inbox.act(actor, { act: "close", revision: 0 });
  const found = await search(fixture, "Ada of");
  assertEquals([textsOf(found, "Enquiries").length, textsOf(found, "Records").length], [0, 1]);
});

Deno.test("a search ends in time while the bank does not respond, with everything else", async () => {
  await using fixture = await createSearchSite();
  const { services } = fixture.site;
  const { treasuries, payments, inbox } = services;
  const query = {
    surface: services.surfaces.get("commercial-console")!,
    layer: "L1",
    text: "ada",
    signal: new AbortController().signal,
  } as const;
  let reads = 0;
  let onRead = () => {};
  const kv = holdKv(services.kv, () => Promise.resolve(), () => {
    reads++;
    onRead();
  });
  assertEquals((await searchConsole({ ...services, kv }, query)).incomplete, []);

  // The time is over after as many reads, which is when only the bank has not responded.
  let left = reads;
  const timers = heldTimers();
  const [read, paid, waited] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  onRead = () => --left === 0 && read.resolve();
  Promise.all([read.promise, paid.promise, waited.promise]).then(nextTask).then(timers.end)
    .catch(reportError);
  const hanging = new Promise<never>(() => {});
  const found = await searchConsole({
    ...services,
    kv,
    schedule: timers.schedule,
    treasuries: {
      ...treasuries,
      commercial: { ...treasuries.commercial, accounts: () => hanging },
    },
    payments: { ...payments, find: (...args) => payments.find(...args).finally(paid.resolve) },
    inbox: { waitingOf: (hashes) => inbox.waitingOf(hashes).finally(waited.resolve) },
  }, query);
  assertEquals(found.incomplete, ["Accounts"]);
  assertEquals(textsOf(found, "Records").length, 1);
});

Deno.test("an enquiry that waits is found behind newer records with the same name", async () => {
  await using fixture = await createSearchSite();
  const { services } = fixture.site;
  for (let i = 0; i < 8; i++) {
    fixture.time.now += 1_000;
    const hash = await register(fixture, "commercial");
    const actor = { organisation: "commercial", hash, by: ADMIN } as const;
    unwrap(await services.inbox.act(actor, { act: "close", revision: 0 }));
  }
  const found = await searchConsole(services, {
    surface: services.surfaces.get("commercial-console")!,
    layer: "L1",
    text: "zephyrine",
    signal: new AbortController().signal,
  });
  assertEquals([textsOf(found, "Records").length, textsOf(found, "Enquiries").length], [6, 1]);
});
