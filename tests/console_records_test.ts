import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { RECORD_COLUMNS } from "../components/records/record_columns.tsx";
import { readTotals } from "../lib/features/contact/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, dayOf } from "../lib/base/time.ts";
import { normaliseEmail } from "../lib/base/email.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

const PATH = "/console/records";
const BOARD = "board@example.org";

async function consoleFixture(
  env: Record<string, string> = {},
  overrides: SiteOverrides = {},
) {
  const fixture = await recordFixture(env, overrides);
  const { auth, surfaces } = fixture.site.services;
  fixture.clock.now = Date.parse("2026-03-10T09:00:00.000Z");
  return {
    ...fixture,
    /** Sends a request to a console, by default as an administrator of the commercial one. */
    async console(
      path: string,
      { as = "admin@example.org", form, on = "commercial-console" }: {
        as?: string;
        form?: Record<string, string>;
        on?: SurfaceName;
      } = {},
    ) {
      const { token } = await auth.issueLink({ email: normaliseEmail(as)!, surface: on });
      const { sessionId } = (await auth.verify(token, on))!;
      const origin = new URL(surfaces.url(on)!).origin;
      const response = await fixture.site.request(on, path, {
        method: form === undefined ? "GET" : "POST",
        headers: {
          cookie: `app_session=${sessionId}`,
          accept: "text/html",
          ...form === undefined ? {} : { origin },
        },
        body: form && new URLSearchParams(form),
      });
      const html = await response.text();
      const words = html.replaceAll(/<(script|style)[^]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ");
      return { status: response.status, headers: response.headers, html, words };
    },
    audit: async () => {
      const { entries } = await fixture.site.services.audit.list("commercial", {});
      return entries.filter(({ action }) => action !== "sign_in");
    },
  };
}

/** The hashes of the records in a list, in its order. */
const hashesOf = (html: string) =>
  [...html.matchAll(/href="\/console\/records\/([\da-f]{64})"/g)].map(([, hash]) => hash);

/** The fields of a hidden form, as the browser sends them. */
function fieldsOf(html: string, button: string): Record<string, string> {
  const form = html.slice(0, html.indexOf(button)).split("<form").at(-1)!;
  const inputs = [...form.matchAll(/<input [^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(input)![1];
  return Object.fromEntries(
    inputs.map((input) => [attribute(input, "name"), attribute(input, "value")]),
  );
}

Deno.test("an enquiry without a type says so in the list, on its page and in the charts", async () => {
  await using fixture = await consoleFixture();
  const { enquiry_type: _, ...person } = PERSON;
  const hash = await fixture.register(person);
  for (const path of [`${PATH}?type=none`, `${PATH}/${hash}`, `${PATH}?view=charts`]) {
    const { html, words } = await fixture.console(path);
    assert(/not given/i.test(words), path);
    assertFalse(/undefined/.test(html), path);
  }
  assertEquals(hashesOf((await fixture.console(`${PATH}?type=none`)).html), [hash]);
  assertEquals(hashesOf((await fixture.console(`${PATH}?type=Investor`)).html), []);
});

Deno.test("filters: the form leads to a URL that lists the records that match", async () => {
  await using fixture = await consoleFixture();
  const first = await fixture.register();
  fixture.clock.now += DAY_MS;
  await fixture.register({ ...PERSON, enquiry_type: "Technical" });
  const third = await fixture.register();
  const form = { text: "", type: "Investor", level: "1", confirmed: "no", sort: "oldest" };
  const posted = await fixture.console(PATH, { form });
  const location = posted.headers.get("location")!;
  assertEquals(posted.status, 303);
  assertEquals(location, `${PATH}?type=Investor&level=1&confirmed=no&sort=oldest`);
  const { html } = await fixture.console(location);
  assertEquals(hashesOf(html), [first, third]);
  assertEquals(hashesOf((await fixture.console(`${PATH}?to=2026-03-10`)).html), [first]);
  const none = await fixture.console(`${PATH}?level=4`);
  assertStringIncludes(none.words, "No records match");
  const wrong = await fixture.console(`${PATH}?level=5&from=2026-02-30`);
  assertEquals(wrong.status, 400);
  for (const text of ["Choose a level from the list", "Enter a date", "Some filters are invalid"]) {
    assertStringIncludes(wrong.words, text);
  }
});

Deno.test("the list leads to the next page and back", async () => {
  await using fixture = await consoleFixture();
  for (let i = 0; i < 21; i++) {
    await fixture.register({ ...PERSON, email: `p${i}@mail.example.org` });
    fixture.clock.now += 1_000;
  }
  const { html } = await fixture.console(PATH);
  const [, next] = /href="([^"]+)"[^>]*>\s*Older/.exec(html)!;
  const second = await fixture.console(next);
  assertEquals(hashesOf(second.html).length, 1);
  const [, previous] = /href="([^"]+)"[^>]*>\s*←\s*Newer/.exec(second.html)!;
  assertEquals(hashesOf((await fixture.console(previous)).html), hashesOf(html));
});

Deno.test("search: finds a record without its words in a URL, page by page", async () => {
  await using fixture = await consoleFixture();
  const hash = await fixture.register({ ...PERSON, name: "Grace <Hopper>", organisation: "Navy" });
  for (let i = 0; i < 22; i++) {
    fixture.clock.now += 1_000;
    await fixture.register({ ...PERSON, email: `p${i}@mail.example.org` });
  }
  for (const text of ["hopper", "NAVY grace", hash.slice(0, 8)]) {
    const found = await fixture.console(PATH, { form: { text } });
    assertEquals([found.status, hashesOf(found.html)], [200, [hash]], text);
    assertFalse(
      [...found.html.matchAll(/(?:href|action)="([^"]*)"/g)].some(([, url]) =>
        url.toLowerCase().includes("hopper")
      ),
    );
  }
  assertStringIncludes(
    (await fixture.console(PATH, { form: { text: "nobody" } })).words,
    "Nothing",
  );
  const inUrl = await fixture.console(`${PATH}?text=hopper`);
  assertEquals(hashesOf(inUrl.html).length, 20, "words in a URL are ignored");

  const first = await fixture.console(PATH, { form: { text: "zephyrine" } });
  assertStringIncludes(first.words, "20 records on this page, newest first");
  const second = await fixture.console(PATH, { form: fieldsOf(first.html, "Older →") });
  assertEquals(hashesOf(second.html).length, 2);
  const back = await fixture.console(PATH, { form: fieldsOf(second.html, "← Newer") });
  assertEquals(hashesOf(back.html), hashesOf(first.html));
  const short = await fixture.console(PATH, { form: { text: "ze" } });
  assertEquals(short.status, 400);
  assertStringIncludes(short.words, "Enter at least three letters of one of the words.");
});

Deno.test("CSV: every record that matches, with escaped cells, and an entry of the audit log", async () => {
  await using fixture = await consoleFixture();
  const { hash } = await fixture.holder({
    ...PERSON,
    name: "=HYPERLINK(1)",
    organisation: 'A "B"',
  });
  await fixture.register({ ...PERSON, enquiry_type: "Other" });
  const form = { format: "csv", type: "Investor", text: "hyperlink" };
  const response = await fixture.console(PATH, { form });
  assertEquals(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assertStringIncludes(response.headers.get("content-disposition")!, "records.csv");
  const [head, ...rows] = parse(response.html.replace("\ufeff", "")) as string[][];
  assertEquals(head, Object.keys(RECORD_COLUMNS).filter((name) => RECORD_COLUMNS[name].value));
  const record = Object.fromEntries(head.map((name, i) => [name, rows[0][i]]));
  assertEquals(rows.length, 1);
  assertEquals(
    [record.hash, record.name, record.organisation, record.email, record.level, record.state],
    [hash, "'=HYPERLINK(1)", 'A "B"', "ada.q@mail.example.org", "1", "in force"],
  );
  assertEquals([record.mobile, record.message], ["'+61412345678", PERSON.message]);
  assert(record.email_confirmed_at !== "");
  const [{ action, by, detail }] = await fixture.audit();
  assertEquals(
    [action, by, detail],
    ["records_exported", "admin@example.org", "a search, type Investor"],
  );
  const all = await fixture.console(PATH, { form: { format: "csv" } });
  assertEquals(parse(all.html).length, 3);
});

Deno.test("board members see counts and charts, and nothing about single records", async () => {
  await using fixture = await consoleFixture();
  const { hash } = await fixture.holder();
  for (const path of [PATH, `${PATH}?level=1`, `${PATH}?view=list`, `${PATH}?period=30`]) {
    const { status, html, words } = await fixture.console(path, { as: BOARD });
    assertEquals(status, 200);
    for (const text of ["Registrations by time", "By type", "By site", "Investor", "Level 1"]) {
      assertStringIncludes(words, text);
    }
    for (const secret of [hash.slice(0, 8), "Ada", "Zephyrine", "example.org/", "Download"]) {
      assertFalse(html.includes(secret), secret);
    }
    assertFalse(/\/console\/records\/[\da-f]/.test(html));
  }
  for (const field of [["text", "ada"], ["format", "csv"], ["type", "Investor"]]) {
    const form = Object.fromEntries([field]);
    const { status, html } = await fixture.console(PATH, { as: BOARD, form });
    assertEquals([status, html.includes("Zephyrine")], [403, false]);
  }
  assertEquals((await fixture.console(`${PATH}/${hash}`, { as: BOARD })).status, 403);
  assertEquals(await fixture.audit(), []);
});

Deno.test("the charts count the registrations of the period by site, and say so if there are none", async () => {
  await using fixture = await consoleFixture();
  const origin = new URL(fixture.site.services.surfaces.url("investor")!).origin;
  const empty = await fixture.console(`${PATH}?view=charts`);
  assertStringIncludes(empty.words, "No records yet");
  await fixture.send(PERSON, { headers: { origin } });
  fixture.clock.now += 40 * DAY_MS;
  await fixture.register();
  const of = async (period: string) =>
    (await fixture.console(`${PATH}?view=charts&period=${period}`)).words;
  assertStringIncludes(await of("90"), "Last 90 days 2");
  assertStringIncludes(await of("90"), "Investors");
  const month = await of("30");
  assertStringIncludes(month, "Last 30 days 1");
  assertFalse(month.includes("Investors"));
  // The chart by time has its own ranges, in both periods.
  const { html, words } = await fixture.console(`${PATH}?view=charts&period=30`);
  assertStringIncludes(html, '"type":"area"');
  assertStringIncludes(words, "Chart options 7D 30D 90D YTD All");
  assertStringIncludes(html, dayOf(fixture.clock.now - 364 * DAY_MS));
});

Deno.test("neither lists, searches, exports nor charts contain records of the other organisation", async () => {
  await using fixture = await consoleFixture();
  const { hash } = await fixture.holder();
  const on = "foundation-console";
  const requests: Parameters<typeof fixture.console>[] = [
    [PATH, { on }],
    [`${PATH}?view=charts`, { on }],
    [PATH, { on, form: { text: "ada" } }],
    [PATH, { on, form: { text: hash.slice(0, 20) } }],
    [PATH, { on, form: { format: "csv" } }],
    [PATH, { on, form: { format: "csv", text: "ada" } }],
  ];
  for (const [path, options] of requests) {
    const { html } = await fixture.console(path, options);
    for (const secret of [hash, PERSON.name, "Zephyrine", "ada.q", "1 registration"]) {
      assertFalse(html.includes(secret), `${JSON.stringify(options)}: ${secret}`);
    }
  }
  const form = { act: "delete", digits: hash.slice(0, 8) };
  assertEquals((await fixture.console(`${PATH}/${hash}`, { on, form })).status, 404);
  assert(await fixture.site.services.records.read(hash) !== null);
});

Deno.test("deletion: only with the digits of the hash, at once, with an entry of the audit log", async () => {
  await using fixture = await consoleFixture();
  const { hash } = await fixture.holder();
  const path = `${PATH}/${hash}`;
  const refused = await fixture.console(path, { form: { act: "delete", digits: "00000000" } });
  assertEquals(refused.status, 400);
  assertStringIncludes(refused.words, "These are not the first eight digits");
  assert(await fixture.site.services.records.read(hash) !== null);
  assertEquals(await fixture.audit(), []);
  const claims = [hash, "0".repeat(64), hash.slice(0, 8)];
  for (const claim of claims) {
    const { words } = await fixture.console(`${PATH}?done=delete_record&of=${claim}`);
    assertFalse(words.includes("is deleted"), claim);
  }

  const digits = ` ${hash.slice(0, 8).toUpperCase()} `;
  const done = await fixture.console(path, { form: { act: "delete", digits } });
  const location = done.headers.get("location")!;
  const { pathname, searchParams } = new URL(location, "http://console");
  assertEquals([done.status, pathname, searchParams.get("of")], [303, PATH, hash]);
  assertStringIncludes((await fixture.console(location)).words, "is deleted. Its chain remains.");
  assertEquals((await fixture.console(path)).status, 404);
  const [{ action, by, object }] = await fixture.audit();
  assertEquals([action, by, object], ["record_deleted", "admin@example.org", { record: hash }]);
  for (const { key, text } of await fixture.entries()) {
    for (const secret of [PERSON.name, "ada.q", "Zephyrine", "412345678"]) {
      assertFalse((key + text).includes(secret), key);
    }
  }
  assertEquals(await fixture.count("outbox_outcomes"), 0);
  const totals = await readTotals(fixture.site.services.kv, "commercial");
  assertEquals(totals, { registrations: 0, levels: { 1: 0, 2: 0, 3: 0, 4: 0 } });
});

Deno.test("a record's page shows its site, chain, documents, and the delivery of its mails", async () => {
  let status = 401;
  await using fixture = await consoleFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
  }, { fetch: () => Promise.resolve(new Response(null, { status })) });
  const { mailer, documents, inbox } = fixture.site.services;
  const hash = await fixture.register();
  await mailer.flush();
  status = 422;
  const actor = { organisation: "commercial", hash, by: "admin@example.org" } as const;
  const key = crypto.randomUUID();
  await inbox.reply(actor, { text: "Hello", name: "Ada", revision: 0, key });
  await mailer.flush();
  fixture.clock.now += 10_000; // until then, the reply can be taken back
  await mailer.drain();
  await documents.add({
    record: hash,
    organisation: "commercial",
    title: "Certificate of Ada",
    kind: "Certificate",
    public: false,
    file_name: "a.txt",
    by: "admin@example.org",
  }, new Blob(["text"]).stream());
  const read = async () => (await fixture.console(`${PATH}/${hash}`)).words;
  const words = await read();
  for (
    const text of [
      "Confirmation of an address Retrying",
      "1 attempt failed. The mail server rejected the password or key. " +
      "The next attempt is at 10 Mar 2026, 09:01 UTC.",
      "Reply to an enquiry Failed",
      "1 attempt failed. The mail server rejected the email.",
      "2 not delivered",
      "Certificate of Ada",
      "API, without a website",
      "hash_generated",
      "Document added",
    ]
  ) assertStringIncludes(words, text);
  assert(words.indexOf("Certificate of Ada") < words.indexOf("Access log Document added"));
  status = 200;
  fixture.clock.now += DAY_MS;
  await mailer.drain();
  const later = await read();
  assertStringIncludes(later, "Confirmation of an address Sent");
  assertStringIncludes(later, "1 not delivered");
});

Deno.test("the access log of a record shows the latest five entries, and continues with older ones", async () => {
  await using fixture = await consoleFixture();
  const { hash } = await fixture.holder();
  const { records } = fixture.site.services;
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  for (let i = 0; i < 22; i++) {
    fixture.clock.now += 1_000;
    await records.declare(hash, `I intend this record for grant number ${i}.`, reader);
  }
  const versionsIn = (words: string) =>
    [...words.split("Access log").at(-1)!.matchAll(/version (\d+)/g)].map(([, n]) => Number(n));
  const { html, words } = await fixture.console(`${PATH}/${hash}`);
  assertEquals(versionsIn(words), [22, 21, 20, 19, 18]);
  const [, older] = /href="([^"]*\?log=[^"]+)#log"/.exec(html)!;
  const next = await fixture.console(older);
  assertEquals(versionsIn(next.words), Array.from({ length: 17 }, (_, i) => 17 - i));
});
