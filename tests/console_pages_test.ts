import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { sumAmounts } from "../lib/features/bank/mod.ts";
import { dollars } from "../lib/features/bank/console/labels.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { createBank, FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { transactionsUntil } from "../sandbox/bank_transactions.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const COMMERCIAL = "commercial-console";
const FOUNDATION = "foundation-console";
const FINANCE = "/console/finance";
const { accounts } = createBank("commercial", 0);
const OPERATING = accounts[0].id;
const PATH = `/console/finance/${OPERATING}`;

/** Reads a page, by default as an administrator. `words` is its text. */
async function read(
  fixture: BankSite,
  path: string,
  surface: SurfaceName = COMMERCIAL,
  email = ADMIN,
) {
  const headers = { accept: "text/html" };
  const response = await fixture.request(surface, path, email, { headers });
  const html = await response.text();
  return { response, html, words: wordsOf(html) };
}

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim();

/** Returns the texts of the elements with a tag whose attributes match. They contain none like it. */
const textsOf = (html: string, tag: string, attributes: RegExp) =>
  [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>([^]*?)</${tag}>`, "g"))]
    .filter(([, found]) => attributes.test(found)).map(([, , inner]) => wordsOf(inner));

const TOTAL = /Total balance (\S+)/;

Deno.test("a board member sees the treasury card and no other bank data", async () => {
  await using fixture = await createBankSite();
  const { html } = await read(fixture, "/console", FOUNDATION, BOARD);
  const { total_balance } = await fixture.site.services.treasuries.foundation.summary();
  const [card] = textsOf(html, "section", /aria-labelledby="treasury-title"/);
  assertMatch(card, /^Treasury Live Total balance/);
  assertEquals(TOTAL.exec(card)?.[1], dollars(total_balance));
  assertMatch(dollars(total_balance), /^\$\d{1,3}(,\d{3})+\.\d\d$/);
  assertMatch(card, /Active accounts 6/);
  assertMatch(card, /Open Records Foundation Ltd \(proof of connection\)/);
  assertMatch(card, /Updated (just now|\d+ minutes? ago)/);
  assert(!/<a\b/.test(/<section[^>]*treasury-title[^]*?<\/section>/.exec(html)![0]), "no links");
  const [sidebar] = /<nav[^>]*aria-label="Console"[^]*?<\/nav>/.exec(html)!;
  assertEquals(textsOf(sidebar, "a", /href/), ["Dashboard", "Records", "Team"]);
  const [operator] = textsOf(html, "div", /console-operator/);
  assertMatch(operator, /board@example\.org Board member \(L2\)/);

  const commercial = await read(fixture, "/console", COMMERCIAL, BOARD);
  const [other] = textsOf(commercial.html, "section", /aria-labelledby="treasury-title"/);
  assertMatch(other, /Last activity (just now|\d+ (minute|hour|day)s? ago)/);
  assertMatch(other, /Active accounts 6/);
  assert(!other.includes("proof of connection"));
});

Deno.test("a missing token and a token of another entity are shown as such", async () => {
  await using missing = await createBankSite({ COMMERCIAL_BANK_API_TOKEN: "" });
  const setup = await read(missing, FINANCE);
  const [instructions] = textsOf(setup.html, "section", /aria-labelledby="setup-title"/);
  assertMatch(instructions, /^Connect the bank Generate a provider API token/);
  assertMatch(instructions, /COMMERCIAL_BANK_API_TOKEN/);
  assert(!textsOf(setup.html, "button", /./).includes("Refresh"));
  const dashboard = await read(missing, "/console");
  const [card] = textsOf(dashboard.html, "section", /class="[^"]*treasury/);
  assertEquals(TOTAL.exec(card)?.[1], "–");
  assertMatch(card, /Not connected.*No bank is connected yet\./);

  const { bank } = missing;
  await using wrong = await createBankSite({
    FOUNDATION_BANK_API_TOKEN: bank.tokens.commercial,
    COMMERCIAL_BANK_API_TOKEN: "secret-token:unknown",
  }, { bank });
  const rejected = await read(wrong, FINANCE);
  const [alert] = textsOf(rejected.html, "div", /role="alert"/);
  assertMatch(alert, /rejected the API token/);
  const [replacing] = textsOf(rejected.html, "section", /aria-labelledby="setup-title"/);
  assertMatch(
    replacing,
    /Generate a provider API token and set it as the token secret COMMERCIAL_/,
  );
  assertMatch(replacing, /read accounts and transactions.*COMMERCIAL_BANK_API_TOKEN/);
  bank.set({ response: 500 });
  assertEquals(textsOf((await read(wrong, FINANCE)).html, "section", /setup-title/), []);
  bank.set(null);
  assertEquals(textsOf(rejected.html, "p", /class="synced muted text-small"/), [
    "Last synced: never",
  ]);
  assert(textsOf(rejected.html, "button", /./).includes("Refresh"));
  const other = await read(wrong, "/console", FOUNDATION);
  const [treasury] = textsOf(other.html, "section", /class="[^"]*treasury/);
  assertMatch(treasury, /Attest Systems Inc \(proof of connection\)/);
});

Deno.test("after the split, the foundation's pages show only its own account", async () => {
  await using fixture = await createBankSite({ FOUNDATION_ACCOUNT_ID });
  const { html, words } = await read(fixture, FINANCE, FOUNDATION);
  const [banner] = textsOf(html, "section", /aria-label="Connected entity"/);
  assertMatch(banner, /^Treasury Open Records Foundation Ltd/);
  assert(!words.includes("proof of connection"));
  const accounts = textsOf(html, "li", /class="[^"]*account/);
  assertEquals(accounts.length, 1);
  assertMatch(accounts[0], /^Foundation Treasury Active/);
  const dashboard = await read(fixture, "/console", FOUNDATION);
  assertMatch(dashboard.words, /Entity Open Records Foundation Ltd/);
  assert(!dashboard.words.includes("proof of connection"));
});

Deno.test("after the split, the commercial totals say what is held in trust, for both layers", async () => {
  await using fixture = await createBankSite({ FOUNDATION_ACCOUNT_ID });
  const { total_balance, accounts } = await (await fixture.request(
    COMMERCIAL,
    "/api/bank/accounts",
    ADMIN,
  )).json();
  const { balance } = accounts.find(({ id }: { id: string }) => id === FOUNDATION_ACCOUNT_ID);
  const own = sumAmounts([total_balance, -balance]);
  const parts = `of which held in trust for Open Records Foundation ` +
    `${dollars(balance)} own funds ${dollars(own)}`;
  for (const email of [ADMIN, BOARD]) {
    for (const path of ["/console", "/console/report"]) {
      assertStringIncludes((await read(fixture, path, COMMERCIAL, email)).words, parts);
    }
  }
  const finance = await read(fixture, FINANCE);
  const [banner] = textsOf(finance.html, "section", /aria-label="Connected entity"/);
  assertStringIncludes(banner, parts);
  assert(!(await read(fixture, FINANCE, FOUNDATION)).words.includes("in trust"));
  fixture.time.now += HOUR_MS;
  await fixture.withFault({ response: 500 }, async () => {
    for (const path of ["/console", "/console/report", FINANCE]) {
      const { words } = await read(fixture, path);
      assertStringIncludes(words, `of which held in trust for Open Records Foundation`, path);
    }
  });
});

Deno.test("a deposit is Received, and a payment is Sent", async () => {
  await using fixture = await createBankSite();
  const rows = async (query: string) => {
    const { html } = await read(fixture, `${PATH}?${query}&status=sent`);
    return { html, texts: textsOf(html, "td", /class="how"/) };
  };
  const deposits = await rows("direction=in");
  assert(deposits.texts.length > 5);
  assertEquals(new Set(deposits.texts), new Set(["Received"]));
  const payments = await rows("direction=out");
  assertEquals(new Set(payments.texts), new Set(["Sent"]));
  assertMatch(deposits.html, /<option[^>]*value="sent"[^>]*>Sent or received<\/option>/);
  const [id] = /(?<=data-transaction=")[^"]+/.exec(deposits.html)!;
  const details = await read(fixture, `${PATH}?transaction=${id}`);
  assertMatch(details.words, /Status Received/);
  const file = await fixture.request(COMMERCIAL, `${PATH}?direction=in&format=csv`, ADMIN);
  assert(!(await file.text()).includes('"sent"'));
});

Deno.test("a split account that the bank does not share is pending on each page", async () => {
  await using fixture = await createBankSite({
    FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
    FOUNDATION_ACCOUNT_NICKNAME: "Foundation Treasury",
    FOUNDATION_ACCOUNT_LAST4: "4821",
  });
  const finance = await read(fixture, FINANCE, FOUNDATION);
  assertEquals(textsOf(finance.html, "li", /class="[^"]*account/), [
    "Foundation Treasury Pending API access •• ending in 4821 –",
  ]);
  const note = /registered but not yet accessible via API\. Its balance appears when/;
  assertMatch(textsOf(finance.html, "main", /./)[0], note);
  const dashboard = await read(fixture, "/console", FOUNDATION, BOARD);
  const [card] = textsOf(dashboard.html, "section", /class="[^"]*treasury/);
  assertMatch(card, note);
  assertEquals(TOTAL.exec(card)?.[1], "–");
});

Deno.test("the board's dashboard contains no account, not even in its scripts' data", async () => {
  await using fixture = await createBankSite();
  for (const surface of ["foundation-console", "commercial-console"] as const) {
    const response = await fixture.request(surface, "/console", BOARD);
    const html = await response.text();
    const organisation = surface === "foundation-console" ? "foundation" : "commercial";
    const { accounts } = await fixture.site.services.treasuries[organisation].accounts();
    for (const { id, last4 } of accounts) {
      assert(!html.includes(id) && !html.includes(`>${last4}<`), `${surface}: ${last4}`);
    }
    assert(!html.includes("/console/finance"), surface);
    assertStringIncludes(html, "Total balance");
  }
});

Deno.test("the workbench serves the account page, with links to the workbench", async () => {
  await using fixture = await createBankSite();
  const { response, html } = await read(fixture, PATH, "workbench");
  assertEquals(response.status, 200);
  assertStringIncludes(html, `action="${PATH}"`);
});

Deno.test("an unknown account returns 404 with any filters", async () => {
  await using fixture = await createBankSite();
  for (const path of ["unknown", "11111111-1111-4111-8111-111111111111?start=x"]) {
    assertEquals((await read(fixture, `/console/finance/${path}`)).response.status, 404);
  }
});

/** Creates a site whose bank lists other accounts. */
async function siteWithAccounts(
  accounts: { id: string; nickname: string; status: string; currentBalance?: null }[],
) {
  const whole = { accountNumber: "201234567890", currentBalance: 1, kind: "checking" };
  return await createBankSite({}, {}, {
    fetch: (url, init) =>
      String(url).endsWith("/accounts")
        ? Promise.resolve(
          Response.json({ accounts: accounts.map((one) => ({ ...whole, ...one })) }),
        )
        : String(url).endsWith("/organization")
        ? fetch(url, init)
        : Promise.resolve(Response.json({ total: 0, transactions: [] })),
  });
}

Deno.test("an account with missing fields is shown with dashes, next to the others", async () => {
  const lines: string[] = [];
  await using fixture = await createBankSite({}, {}, {
    log: (line) => lines.push(JSON.stringify(line)),
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (!String(request[0]).endsWith("/accounts")) return response;
      const { accounts: [first, ...rest] } = await response.json();
      const { accountNumber } = first;
      const broken = {
        id: first.id,
        name: `Main ${accountNumber}`,
        accountNumber: [accountNumber],
      };
      return Response.json({ accounts: [broken, ...rest] });
    },
  });
  const { response, words } = await read(fixture, "/console/finance");
  assertEquals(response.status, 200);
  assertMatch(words, /Total balance \$[\d,.]+ 5 active accounts/);
  assertMatch(words, /Main ••\d{4} Status unknown – – •• ending in – –/);
  assertMatch(words, /Payroll/);
  assertEquals(lines.length, 1);
  const secrets = fixture.bank.secretNumbers;
  assertEquals(secrets.filter((secret) => lines[0].includes(secret)), []);
});

Deno.test("an account's link works for any characters in its id", async () => {
  const ids = ["a/b", "acc:1", "50% é?#", "%2F", `"><i>`];
  await using fixture = await siteWithAccounts(
    ids.map((id, i) => ({ id, nickname: `Account ${i}`, status: "active" })),
  );
  const html = await (await fixture.request(COMMERCIAL, "/console/finance", ADMIN)).text();
  const links = [...html.matchAll(/<h3[^>]*><a [^>]*href="(\/console\/finance\/[^"]*)"/g)]
    .map(([, path]) => path);
  assertEquals(links.length, ids.length);
  for (const [i, path] of links.entries()) {
    const response = await fixture.request(COMMERCIAL, path, ADMIN);
    assertEquals(response.status, 200, path);
    const page = await response.text();
    assertMatch(page, new RegExp(`<h1[^>]*>Account ${i}</h1>`));
    assertStringIncludes(page, `action="${path}"`);
  }
  const broken = await fixture.request(COMMERCIAL, "/console/finance/%ff", ADMIN);
  assertEquals(broken.status, 400);
  await broken.body?.cancel();
});

Deno.test("if an active account's balance is missing, there is no total, and the pages explain why", async () => {
  await using fixture = await siteWithAccounts([
    { id: "a", nickname: "Known", status: "active" },
    { id: "b", nickname: "Unknown", status: "active", currentBalance: null },
  ]);
  const finance = (await read(fixture, "/console/finance")).words;
  assertMatch(
    finance,
    /Live .*Total balance – 2 active accounts .*balance of every active account/,
  );
  assertMatch(finance, /Known .* \$1\.00 .*Unknown .* – /);
  const dashboard = (await read(fixture, "/console")).words;
  assertMatch(dashboard, /Live Total balance – .*did not send the balance of every active account/);
});

Deno.test("without active accounts, their section is not shown", async () => {
  await using fixture = await siteWithAccounts([{
    id: "r",
    nickname: "Reserve",
    status: "pending",
  }]);
  const html = await (await fixture.request(COMMERCIAL, "/console/finance", ADMIN)).text();
  assertStringIncludes(html, `id="restricted-title"`);
  assert(!html.includes(`id="active-title"`));
});

Deno.test("a restricted account's page says that the bank shares no transactions", async () => {
  await using fixture = await createBankSite();
  const reserve = accounts.find(({ nickname }) => nickname === "Reserve")!;
  const { response, words } = await read(fixture, `/console/finance/${reserve.id}`);
  assertEquals(response.status, 200);
  assertMatch(words, /Reserve .* Restricted .*The account is restricted/);
});

Deno.test("invalid filters return 400, with an error and the typed value at each field", async () => {
  await using fixture = await createBankSite();
  const { response, html } = await read(fixture, `${PATH}?start=2026-02-30&end=%22%3E&offset=-5`);
  assertEquals(response.status, 400);
  assertMatch(
    html,
    /<input [^>]*aria-describedby="field-start-problem"[^>]*type="text"[^>]*value="2026-02-30"/,
  );
  assertMatch(html, /id="field-end-problem"/);
  assertMatch(html, /<input [^>]*type="text"[^>]*value="&quot;>"/);
  assertMatch(html, /role="alert">Page: /);
  assert(!html.includes(`class="dense-table stacked ledger-table"`));
});

Deno.test("an inverted range is an error at its field, and the chart shows the last 30 days", async () => {
  await using fixture = await createBankSite();
  const { response, html, words } = await read(fixture, `${PATH}?start=2026-02-02&end=2026-02-01`);
  assertEquals(response.status, 400);
  assertMatch(html, /id="field-end-problem">The end is before the start\./);
  assertMatch(html, /<input [^>]*id="field-end"[^>]*value="2026-02-01"/);
  assertMatch(words, /Daily flow 31 Jan 2026 to 1 Mar 2026/);
  assertMatch(html, /<figure class="chart relative shrinks flush"/);
});

Deno.test("the chart, the totals and the table are read at once in one range, by default the last 30 days", async () => {
  await using fixture = await createBankSite();
  const { treasuries } = fixture.site.services;
  const ranges: unknown[] = [];
  const { pages } = treasuries.commercial;
  treasuries.commercial.pages = (query, options) => {
    ranges.push([query.start, query.end]);
    return pages(query, options);
  };
  for (
    const [query, range] of [
      ["", ["2026-01-31", "2026-03-01"]],
      ["?start=2026-01-05&end=2026-02-10", ["2026-01-05", "2026-02-10"]],
    ] as const
  ) {
    const { html } = await read(fixture, PATH + query);
    assertEquals(ranges.splice(0), [range]);
    assertEquals(html.match(/<input [^>]*type="date"/g)?.length, 2, "one pair of date fields");
    for (const day of range) assertStringIncludes(html, `type="date" value="${day}"`);
  }
});

Deno.test("a page beyond the last one links to the first, and an empty account is not an error", async () => {
  await using fixture = await createBankSite();
  const beyond = await read(fixture, `${PATH}?offset=100000&limit=25`);
  assertMatch(beyond.words, /Nothing on this page/);
  assertStringIncludes(
    beyond.html,
    `href="${PATH}?start=2026-01-31&amp;end=2026-03-01&amp;limit=25"`,
  );
  const none = await read(fixture, `${PATH}?end=2001-01-01`);
  assertEquals(none.response.status, 200);
  assertMatch(
    none.words,
    /No transactions The account has no transactions in these dates\. Choose a longer period/,
  );
  const filtered = await read(fixture, `${PATH}?search=unheard+of&start=&limit=25`);
  assertMatch(filtered.words, /No transactions in these dates match the filters/);
  assertStringIncludes(filtered.html, `href="${PATH}?start=&amp;limit=25"`);
  assertMatch(none.words, /No transactions in these days/);
});

Deno.test("the CSV is an attachment with all rows of the filters, whatever the page", async () => {
  await using fixture = await createBankSite();
  const query = "start=&search=rent&limit=25";
  const { response, html } = await read(fixture, `${PATH}?${query}&offset=5&format=csv`);
  assertEquals(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assertMatch(
    response.headers.get("content-disposition")!,
    /^attachment; filename="transactions-operating-\d{4}\.csv"$/,
  );
  assertEquals(response.headers.get("cache-control"), "no-store");
  const lines = html.trimEnd().split("\r\n").slice(1);
  const rents = transactionsUntil(OPERATING, fixture.time.now).reverse()
    .filter(({ note }) => note === "Rent");
  assertEquals(rents.length, 25);
  assertEquals(lines.map((line) => line.split(",").at(-1)), rents.map(({ id }) => `"${id}"`));
  const page = await read(fixture, `${PATH}?${query}`);
  assertStringIncludes(
    page.html,
    `href="${PATH}?${query.replaceAll("&", "&amp;")}&amp;format=csv"`,
  );
});

Deno.test("the totals are those of the filtered transactions that moved money", async () => {
  await using fixture = await createBankSite();
  const all = transactionsUntil(OPERATING, fixture.time.now);
  const expected = (matches: (transaction: typeof all[number]) => boolean) => {
    const found = all.filter(matches);
    const cents = found.map(({ amount }) => Math.round(amount * 100));
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0) / 100;
    const into = cents.filter((value) => value > 0);
    const out = cents.filter((value) => value < 0);
    return [sum(into), sum(out), sum(cents)].map(dollars);
  };
  const cases: [query: string, matches: (transaction: typeof all[number]) => boolean][] = [
    ["start=", ({ status }) => status === "sent"],
    ["start=&status=failed", ({ status }) => status === "failed"],
    [
      "start=2025-01-01&end=2025-12-31&kind=externalTransfer&min=1000",
      ({ createdAt, kind, amount, status }) =>
        createdAt.startsWith("2025-") && kind === "externalTransfer" && Math.abs(amount) >= 1000 &&
        status === "sent",
    ],
  ];
  for (const [query, matches] of cases) {
    const { words } = await read(fixture, `${PATH}?${query}`);
    const [, ...totals] = /In (-?\$[\d,.]+) Out (-?\$[\d,.]+) Net (-?\$[\d,.]+) Transactions/.exec(
      words,
    )!;
    assertEquals(totals, expected(matches), query);
  }
});

Deno.test("the account switcher keeps the filters, but neither the page nor the open transaction", async () => {
  await using fixture = await createBankSite();
  const { html } = await read(fixture, `${PATH}?start=&kind=wireFee&offset=50&transaction=x`);
  const { id } = accounts.find(({ nickname }) => nickname === "Payroll")!;
  assertStringIncludes(html, `href="/console/finance/${id}?start=&amp;kind=wireFee"`);
});

Deno.test("a transaction's URL shows its details, or a link that searches the whole history", async () => {
  await using fixture = await createBankSite();
  const all = transactionsUntil(OPERATING, fixture.time.now);
  const failed = all.findLast(({ status }) => status === "failed")!;
  const day = failed.createdAt.slice(0, 10);
  const range = `start=${day}&end=${day}`;
  const { html, words } = await read(fixture, `${PATH}?${range}&transaction=${failed.id}`);
  assertMatch(words, /Reason The receiving bank returned the payment\./);
  assertStringIncludes(words, `ID ${failed.id}`);
  assertStringIncludes(html, `href="${failed.dashboardLink}"`);
  assertStringIncludes(html, `href="${PATH}?${range.replace("&", "&amp;")}#transactions"`);
  const other = await read(fixture, `${PATH}?start=2026-02-01&transaction=${all[0].id}`);
  assertMatch(other.words, /Transaction not found .*Search the whole history/);
  assertStringIncludes(other.html, `href="${PATH}?start=&amp;transaction=${all[0].id}"`);
});

Deno.test("the page's data as JSON has the status of the page, and 404 for other accounts", async () => {
  await using fixture = await createBankSite();
  const json = async (path: string) => {
    const headers = { accept: "application/json" };
    const response = await fixture.request(COMMERCIAL, path, ADMIN, { headers });
    return { status: response.status, data: await response.json() };
  };
  const { status, data } = await json(`${PATH}?kind=wireFee&format=json`);
  assertEquals([status, data.typed.kind, data.error], [200, "wireFee", null]);
  assert(data.ledger.rows.every(({ kind }: { kind: string }) => kind === "wireFee"));
  const invalid = await json(`${PATH}?min=9&max=1&format=json`);
  assertEquals([invalid.status, Object.keys(invalid.data.issues)], [400, ["max"]]);
  assertEquals((await json("/console/finance/unknown?format=json")).status, 404);
  fixture.bank.set({ response: 503, operation: "transactions" });
  const down = await json(`${PATH}?format=json`);
  assertEquals([down.status, down.data.error], [502, "upstream_error"]);
});

Deno.test("if only the transactions fail, the account is shown with a retry link", async () => {
  await using fixture = await createBankSite();
  const { bank } = fixture;
  bank.set({ response: 500, operation: "transactions" });
  const { response, words, html } = await read(fixture, `${PATH}?limit=25`);
  assertEquals(response.status, 502);
  assertMatch(words, /Operating .*The bank returned an error/);
  assertStringIncludes(html, `&amp;limit=25" aria-current="false">Try again`);
  const file = await read(fixture, `${PATH}?format=csv`);
  assertEquals([file.response.status, file.words.includes("Operating ")], [502, false]);
  // An active account is not restricted.
  bank.set({ response: 404, operation: "transactions" });
  assertMatch((await read(fixture, PATH)).words, /The bank did not find what was requested/);
});

Deno.test("if the bank fails after the first page, the newest rows are shown and the chart has an error", async () => {
  await using fixture = await createBankSite();
  const { treasuries } = fixture.site.services;
  const { pages } = treasuries.commercial;
  treasuries.commercial.pages = async function* (query, options) {
    for await (const first of pages(query, options)) {
      yield first;
      break;
    }
    yield { ok: false, error: "rate_limited", message: "" };
  };
  const { response, words, html } = await read(fixture, `${PATH}?start=`);
  assertEquals(response.status, 200);
  assertMatch(words, /Unable to load chart data .*is limiting requests/);
  assertMatch(words, /1 to 25 of 1,000 or more/);
  assertStringIncludes(html, "<table");
});

Deno.test("if the accounts cannot be read, the account page shows the error", async () => {
  await using fixture = await createBankSite();
  await read(fixture, PATH);
  fixture.time.now += HOUR_MS;
  fixture.bank.set({ response: 401 });
  const { response, words } = await read(fixture, PATH);
  assertEquals(response.status, 502);
  assertMatch(words, /rejected the API token/);
});

Deno.test("the account page is smaller than 100 kB", async () => {
  await using fixture = await createBankSite();
  const { html } = await read(fixture, PATH);
  const bytes = new TextEncoder().encode(html).length;
  assert(bytes < 100_000, `${bytes} bytes`);
});

Deno.test("a result in the URL that the site has not signed is not shown", async () => {
  await using fixture = await createBankSite();
  const { words } = await read(fixture, "/console/finance?done=refresh_failed&of=auth_failed");
  assertFalse(words.includes("could not be refreshed"));
});

Deno.test("the sidebar marks the page or its section, but not the dashboard", async () => {
  await using fixture = await createBankSite();
  for (
    const [path, page, finance] of [
      ["/console", "page", "false"],
      ["/console/finance", "false", "page"],
      [PATH, "false", "true"],
    ]
  ) {
    const { html } = await read(fixture, path);
    const [sidebar] = html.split('class="console-nav stack gap-3"')[1].split("</nav>");
    const marks = Object.fromEntries(
      [...sidebar.matchAll(/<a href="([^"]*)"[^>]* aria-current="(\w+)"/g)].map((
        [, href, mark],
      ) => [href, mark]),
    );
    assertEquals([path, marks["/console"], marks["/console/finance"]], [path, page, finance]);
  }
});

Deno.test("filters are folded on phones until one is set, and a long table of a chart is without scripts", async () => {
  await using fixture = await createBankSite();
  const open = async (path: string, email = ADMIN) => {
    const response = await fixture.request("commercial-console", path, email);
    return await response.text();
  };
  const folded = /<details class="filter-toggle"\s*>/;
  const filters = { records: "level=1", audit: "action=sign_in" };
  for (const [page, query] of Object.entries(filters)) {
    assertMatch(await open(`/console/${page}`), folded);
    assert(!folded.test(await open(`/console/${page}?${query}`)), page);
  }
  await fixture.site.services.jobs.run("bank-sums");
  assertMatch(await open("/console", BOARD), /<details class="chart-table\b[^>]*><summary/);
});

Deno.test("exports are in the audit log, without the words of a search or a person", async () => {
  await using fixture = await createBankSite();
  const { audit } = fixture.site.services;
  const person = await audit.personKey(ADMIN);
  await fixture.signIn(ADMIN, COMMERCIAL);
  const paths = [
    `${PATH}?format=csv&search=Secret+Partner&start=2026-02-01`,
    "/console/payments?format=csv&from=2026-02-01&currency=USD",
    `/console/audit?format=csv&person=${person}&action=sign_in`,
    "/console/audit?format=csv",
  ];
  for (const path of paths) {
    fixture.time.now += 1_000;
    const { response } = await read(fixture, path);
    assertEquals(response.status, 200);
  }
  const { entries } = await audit.list("commercial", {});
  assertEquals(entries.slice(0, 4).map(({ by, action, detail }) => [by, action, detail]), [
    [ADMIN, "audit_log_exported", "all"],
    [ADMIN, "audit_log_exported", "of one person, action sign_in"],
    [ADMIN, "payments_exported", "from 2026-02-01, currency USD"],
    [
      ADMIN,
      "transactions_exported",
      "with a search, start 2026-02-01",
    ],
  ]);
});
