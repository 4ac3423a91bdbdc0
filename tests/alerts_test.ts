import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { addContact } from "../lib/features/contact/mod.ts";
import type { Alert } from "../lib/features/alerts/mod.ts";
import { formatPosition } from "../lib/platform/listing/filters.ts";
import { RETRY_MS } from "../lib/platform/jobs/mod.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const HASH = "c".repeat(64);
const MAIL_API = "https://mail.example/send";

type Console = "commercial-console" | "foundation-console";

/** Posts a form to the alerts page, and returns the status and the page's text or location. */
async function post(
  fixture: BankSite,
  form: Record<string, string>,
  { on = "commercial-console" as Console, as = ADMIN, query = "" } = {},
) {
  const { origin } = new URL(fixture.site.services.surfaces.url(on)!);
  const response = await fixture.request(on, `/console/alerts${query}`, as, {
    method: "POST",
    body: new URLSearchParams(form),
    headers: { accept: "text/html", origin },
  });
  const text = textOf(await response.text());
  return { status: response.status, location: response.headers.get("location"), text };
}

async function read(fixture: BankSite, query = "", on: Console = "commercial-console") {
  const response = await fixture.request(on, `/console/alerts${query}`, ADMIN, {
    headers: { accept: "text/html" },
  });
  const html = await response.text();
  return { status: response.status, html, text: textOf(html) };
}

const textOf = (html: string) =>
  html.replaceAll(/<(script|style|select)[^]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

const newest = async ({ site }: BankSite, on: OrganisationKey = "commercial"): Promise<Alert> =>
  (await site.services.alerts.list(on)).alerts[0];

/** A site whose mail service is down until `mail.works`. */
async function mailSite() {
  const mail = { works: false, received: [] as string[] };
  const fixture = await createBankSite(
    { MAIL_TRANSPORT: "http", MAIL_API_URL: MAIL_API, MAIL_API_KEY: "key" },
    {},
    {
      log: () => {},
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url !== MAIL_API) return await fetch(request);
        mail.received.push(await request.text());
        return new Response(null, { status: mail.works ? 200 : 503 });
      },
    },
  );
  return { fixture, mail };
}

Deno.test("a mail that can't be sent is an alert without the address, and can be sent again once", async () => {
  const { fixture: created, mail } = await mailSite();
  await using fixture = created;
  const { services } = fixture.site;
  const { kv, mailer, alerts } = services;
  const to = "holder@mail.example.com";
  const add = async (about: string) => {
    const commit = kv.atomic();
    const content = { subject: "Hello", text: "text", html: "" };
    const expiresAt = services.clock() + 20 * MINUTE_MS;
    const options = { expiresAt, about, kind: "confirmation" } as const;
    const mail = await mailer.add(commit, { sender: "foundation", to, ...content }, options);
    await commit.commit();
    mailer.send([mail]);
    await mailer.flush();
  };
  await add(`contact/${HASH}`);
  await add("user/7");
  assertEquals(await newest(fixture, "foundation"), undefined);
  for (const wait of RETRY_MS.slice(0, 2)) {
    fixture.time.now += wait;
    await services.jobs.run("mail");
  }
  const on = "foundation-console";
  const { text, html } = await read(fixture, "", on);
  assertStringIncludes(text, "Mail not delivered New 2 times");
  assertStringIncludes(text, "The mail server had an error.");
  assertStringIncludes(text, "Confirmation of an address Record cccccccc… (deleted) Send again");
  assertStringIncludes(text, "Confirmation of an address User 7 (deleted) Send again");
  assertFalse(html.includes(to));
  assertFalse((await read(fixture)).text.includes("Mail not delivered"));
  assertFalse(JSON.stringify(await newest(fixture, "foundation")).includes(to));

  const alert = formatPosition(await newest(fixture, "foundation"));
  const [first] = (await newest(fixture, "foundation")).reports;
  const form = { act: "send", alert, mail: first.links.mail! };
  assertEquals((await post(fixture, form)).status, 404);
  assertEquals((await post(fixture, form, { on, as: BOARD })).status, 403);
  mail.works = true;
  mail.received = [];
  assertEquals((await post(fixture, form, { on })).status, 303);
  await mailer.flush();
  assertEquals(mail.received.length, 1);
  assertEquals((await newest(fixture, "foundation")).state, "unread");
  assertEquals((await post(fixture, form, { on })).status, 409);

  assertEquals((await post(fixture, { act: "send", alert }, { on })).status, 303);
  await mailer.flush();
  assertEquals(mail.received.length, 2);
  const { state, by } = await newest(fixture, "foundation");
  assertEquals([state, by], ["done", ADMIN]);
  const audit = services.audit.all("foundation", { action: "mail_sent_again" });
  const entries = await Array.fromAsync(audit, ({ by, object }) => JSON.stringify([by, object]));
  assertEquals(
    entries.sort(),
    [{ record: HASH }, { user: 7 }].map((object) => JSON.stringify([ADMIN, object])),
  );
  assertEquals((await alerts.overview("foundation")).unread, 0);
});

Deno.test("a rejected mail is an alert that can only be marked as done", async () => {
  await using fixture = await createBankSite({}, {}, { log: () => {} });
  const { services } = fixture.site;
  const commit = services.kv.atomic();
  const mail = { sender: "product", to: "no address", subject: "", text: "", html: "" } as const;
  const expiresAt = services.clock() + HOUR_MS;
  const options = { expiresAt, about: "user/7", kind: "sign_in" } as const;
  const queued = await services.mailer.add(commit, mail, options);
  await commit.commit();
  services.mailer.send([queued]);
  await services.mailer.flush();
  const { text } = await read(fixture);
  assertStringIncludes(text, "Sign-in link User 7 (deleted) Can’t be sent again");
  const alert = formatPosition(await newest(fixture));
  assertEquals((await post(fixture, { act: "send", alert })).status, 409);
  assertEquals((await post(fixture, { act: "done", alert })).status, 303);
  assertEquals((await newest(fixture)).state, "done");
});

Deno.test("the nightly check reports a changed chain to the organisation of its record", async () => {
  await using fixture = await createBankSite();
  const { kv, chains, jobs, clock } = fixture.site.services;
  await chains.start(HASH, (commit) => {
    const record = { name: "Ada", email: "ada@example.org", enquiry_type: "Other" } as const;
    addContact(commit, HASH, { record, organisation: "foundation", salt: HASH, now: clock() });
  });
  await jobs.run("chains");
  assertEquals(await newest(fixture, "foundation"), undefined);
  const entry = await kv.get<object>(["chain_events", HASH, 0]);
  await kv.set(entry.key, { ...entry.value, kind: "k2_delivered" });
  for (const count of [1, 2]) {
    fixture.time.now += DAY_MS;
    assertEquals((await jobs.run("chains"))?.detail, "1 checked, 1 not valid");
    assertEquals((await newest(fixture, "foundation")).count, count);
  }
  const { text } = await read(fixture, "", "foundation-console");
  assertStringIncludes(text, "an event was changed: its hash does not match (event 0)");
  assertEquals(await newest(fixture), undefined);
});

Deno.test("a bank that rejects the token for an hour is an alert until it responds", async () => {
  await using fixture = await createBankSite();
  const { jobs } = fixture.site.services;
  await fixture.withFault({ response: 401 }, async () => {
    await jobs.run("bank");
    fixture.time.now += HOUR_MS;
    await jobs.run("bank");
    fixture.time.now += 5 * MINUTE_MS;
  });
  const { text } = await read(fixture);
  assertStringIncludes(text, "have not been readable since 1 Mar 2026, 20:00 UTC.");
  assertStringIncludes(text, "The bank rejected the API token.");
  const run = await jobs.run("bank");
  assertEquals(run?.detail, "foundation: responds, commercial: responds");
  const { state, by } = await newest(fixture);
  assertEquals([state, by], ["done", null]);
  const done = await read(fixture, "?state=done");
  assertStringIncludes(done.text, "from 1 Mar 2026, 20:00 UTC to 1 Mar 2026, 21:05 UTC.");
  assertStringIncludes(done.text, "Resolved automatically, 1 Mar 2026, 21:05 UTC");
});

Deno.test("an administrator reads, finishes and reopens alerts, and filters them", async () => {
  await using fixture = await createBankSite();
  const { alerts } = fixture.site.services;
  const report = async (problem: string, kind: "push_failed" | "payment_failed") => {
    fixture.time.now += 1_000;
    const details = { reason: `reason_${problem}` };
    await alerts.report({ organisation: "commercial", kind, problem, details });
  };
  const empty = await read(fixture);
  assertStringIncludes(empty.text, "Nothing needs your attention");
  await report("a", "push_failed");
  await report("b", "push_failed");
  const ref = formatPosition(await newest(fixture));
  const query = "?kind=push_failed";
  const done = await post(fixture, { act: "done", alert: ref }, { query });
  const result = `/console/alerts${query}&done=done&${new URLSearchParams({
    of: `${ref}~new`,
  })}&at=`;
  assertEquals([done.status, done.location?.slice(0, result.length)], [303, result]);
  const open = await read(fixture);
  assert(open.text.includes("reason_a") && !open.text.includes("reason_b"));
  assertStringIncludes(open.html, ">1<span");
  const finished = await read(fixture, "?state=done&kind=");
  assert(finished.text.includes("reason_b") && !finished.text.includes("reason_a"));
  assertStringIncludes(finished.text, "Marked as done by you, 1 Mar 2026, 20:00 UTC.");
  assertEquals((await post(fixture, { act: "reopen", alert: ref })).status, 303);
  assertStringIncludes((await read(fixture)).text, "Marked as read by you");

  await report("b", "push_failed");
  const changed = await post(fixture, { act: "done", alert: ref });
  assertEquals(changed.status, 404);
  assertStringIncludes(changed.text, "This alert has changed or was deleted.");
  assertEquals((await newest(fixture)).state, "unread");
  assertStringIncludes((await read(fixture, "?kind=payment_failed")).text, "No alerts");
  for (const bad of ["?state=new", "?kind=x", "?after=x"]) {
    assertEquals((await read(fixture, bad)).status, 400, bad);
  }
  assertEquals((await post(fixture, { act: "done", alert: "x" })).status, 400);
});

Deno.test("the alert about a file of two organisations names both alike, with links to those in this console", async () => {
  await using fixture = await createBankSite();
  const details = {
    first: "Harbour College",
    first_domain: "harbour.example",
    other: "Beta College",
  };
  await fixture.site.services.alerts.report({
    ...{ organisation: "commercial", kind: "also_registered", problem: "a/b" },
    details: { ...details, first_issuer: "a", other_issuer: "b" },
  });
  const { html, text } = await read(fixture);
  assertStringIncludes(
    text.replaceAll(/ (?=[,;.])/g, ""),
    "Harbour College (harbour.example) and Beta College (no verified domain) have registered the " +
      "same file; Harbour College was first. A check shows both. Ask both why.",
  );
  for (const id of ["a", "b"]) assertStringIncludes(html, `href="/console/issuers/${id}"`);
});

Deno.test("the page shows the result of each action on alerts with Undo, which restores their states", async () => {
  await using fixture = await createBankSite();
  const { alerts } = fixture.site.services;
  for (const problem of ["a", "b"]) {
    fixture.time.now += 1_000;
    await alerts.report({ organisation: "commercial", kind: "push_failed", problem });
  }
  const states = async () => (await alerts.list("commercial")).alerts.map(({ state }) => state);
  /** Posts a form, and returns the text of the result and the fields of its "Undo". */
  const act = async (form: Record<string, string>) => {
    const { location } = await post(fixture, form);
    const { html } = await read(fixture, location!.slice(location!.indexOf("?")));
    const [result = ""] = /<section id="result"[^]*?<\/section>/.exec(html) ?? [];
    const fields = [...result.matchAll(/name="(\w+)" value="([^"]*)"/g)];
    return {
      text: textOf(result),
      undo: Object.fromEntries(fields.map(([, name, value]) => [name, value])),
    };
  };
  const alert = formatPosition(await newest(fixture));
  for (
    const [form, title, after] of [
      [{ act: "done", alert }, "Marked as done.", ["done", "unread"]],
      [{ act: "read", alert }, "Marked as read.", ["read", "unread"]],
      [{ act: "read" }, "All alerts are marked as read.", ["read", "read"]],
    ] as [Record<string, string>, string, string[]][]
  ) {
    fixture.time.now += 1_000;
    const done = await act(form);
    assertStringIncludes(done.text, title);
    assertEquals(await states(), after);
    fixture.time.now += 1_000;
    assertStringIncludes((await act(done.undo)).text, "Marked as new.");
    assertEquals(await states(), ["unread", "unread"], title);
  }

  // A result is shown only while it is true, and nothing else is believed.
  const { location } = await post(fixture, { act: "done", alert });
  const query = location!.slice(location!.indexOf("?"));
  assertStringIncludes((await read(fixture, query)).html, 'id="result"');
  await act({ act: "reopen", alert });
  assertFalse((await read(fixture, query)).html.includes('id="result"'), "it is not done any more");
  await act({ act: "done", alert });
  for (
    const query of [
      `?done=read&of=${alert}`,
      "?done=read_all&of=2026-03-01T00:00:00.000Z",
      `?done=send&of=${alert}`,
      "?done=x",
      "?done=approve&of=<b>",
      "?of=a",
    ]
  ) {
    assertFalse((await read(fixture, query)).html.includes('id="result"'), query);
  }
  const undone = await act({ act: "unread", since: "2026-03-01T00:00:00.000Z" });
  assertStringIncludes(undone.text, "Marked as new.");
  assertEquals(await states(), ["done", "unread"]);
});

Deno.test("the count of unread alerts is for full administrators of the console's organisation", async () => {
  await using fixture = await createBankSite();
  const { alerts } = fixture.site.services;
  await alerts.report({ organisation: "commercial", kind: "push_failed", problem: "a" });
  const count = async (on: Console, as: string | null) => {
    const response = await fixture.request(on, "/console/alerts/count", as, {
      headers: { accept: "application/json" },
    });
    const text = await response.text();
    if (response.status === 200) {
      assertEquals(response.headers.get("cache-control"), "no-store");
      return JSON.parse(text);
    }
    return response.status;
  };
  assertEquals(await count("commercial-console", ADMIN), { unread: 1, enquiries: 0 });
  assertEquals(await count("foundation-console", ADMIN), { unread: 0, enquiries: 0 });
  assertEquals(await count("commercial-console", BOARD), 403);
  assertEquals(await count("commercial-console", null), 302);
});

Deno.test("requests come first whatever was reported since, and 11 equal alerts are one row that opens", async () => {
  await using fixture = await createBankSite();
  const { alerts } = fixture.site.services;
  const report = async (kind: string, problem: string) => {
    fixture.time.now += 1_000;
    await alerts.report({ organisation: "commercial", kind, problem });
  };
  await report("access_requested", "r");
  for (let i = 0; i < 11; i++) await report("payment_failed", `${i}`);
  await report("mail_failed", "m");
  const { html, text } = await read(fixture);
  const places = ["Waiting for your decision", "Access requested", "Mark all as read", "Mail not"];
  const found = [...places, "Payment failed 11 new"].map((each) => text.indexOf(each));
  assert(found.every((at) => at >= 0), `${found}`);
  assertEquals(found, found.toSorted((a, b) => a - b));
  assertEquals([...html.matchAll(/<details/g)].length >= 1, true);
  assertStringIncludes(
    html,
    'href="/console/alerts?kind=payment_failed&amp;state=unread" aria-current="false"',
  );
  const some = await read(fixture, "?kind=payment_failed");
  assertEquals([...some.html.matchAll(/<article/g)].length, 11);
  assertFalse(some.text.includes("Waiting for your decision"));
  const first = await read(fixture, "?state=all");
  assertFalse(first.text.includes("Waiting for your decision"));
  for (let i = 0; i < 20; i++) await report("mail_failed", `m${i}`);
  const [, older] = /href="([^"]*after=[^"]*)"[^>]*>Older/.exec((await read(fixture)).html)!;
  const next = await read(fixture, new URL(older.replaceAll("&amp;", "&"), "http://a").search);
  assertFalse(next.text.includes("Access requested"), "the decision is on the first page");
});
