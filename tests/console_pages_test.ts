import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/http/errors.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { HOUR_MS } from "../lib/time.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";

const COMMERCIAL = "commercial-console";
const { accounts } = createBank("commercial", 0);
const OPERATING = accounts[0].id;
const PATH = `/console/finance/${OPERATING}`;

/** Reads a page as an administrator. `words` is its text. */
async function read(fixture: BankSite, path: string, surface: SurfaceName = COMMERCIAL) {
  const headers = { accept: "text/html" };
  const response = await fixture.request(surface, path, ADMIN, { headers });
  const html = await response.text();
  return { response, html, words: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

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
  const links = [...html.matchAll(/href="(\/console\/finance\/[^"]*)"/g)].map(([, path]) => path);
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
  assert(!html.includes(`class="table ledger"`));
});

Deno.test("an inverted range is an error at its field, and the chart shows the last 30 days", async () => {
  await using fixture = await createBankSite();
  const { response, html, words } = await read(fixture, `${PATH}?start=2026-02-02&end=2026-02-01`);
  assertEquals(response.status, 400);
  assertMatch(html, /id="field-end-problem">The end is before the start\./);
  assertMatch(html, /<input [^>]*id="field-end"[^>]*value="2026-02-01"/);
  assertMatch(words, /Daily flow Jan 31, 2026 to Mar 1, 2026/);
  assertMatch(html, /<figure class="chart"/);
});

Deno.test("the chart and the table share one range, by default the last 30 days", async () => {
  await using fixture = await createBankSite();
  const { treasuries } = fixture.site.services;
  const ranges: unknown[] = [];
  const { transactions } = treasuries.commercial;
  treasuries.commercial.transactions = (query) => {
    ranges.push([query.start, query.end]);
    return transactions(query);
  };
  for (
    const [query, range] of [
      ["", ["2026-01-31", "2026-03-01"]],
      ["?start=2026-01-05&end=2026-02-10", ["2026-01-05", "2026-02-10"]],
    ] as const
  ) {
    const { html } = await read(fixture, PATH + query);
    assertEquals(ranges.splice(0), [range, range]);
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
    /No transactions The account has no transactions that match these filters/,
  );
  assertMatch(none.words, /No transactions in these days/);
});

Deno.test("the CSV is an attachment with the page's rows in the same order", async () => {
  await using fixture = await createBankSite();
  const query = "start=2026-01-01&end=2026-01-31&limit=25&offset=5";
  const { response, html } = await read(fixture, `${PATH}?${query}&format=csv`);
  assertEquals(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assertMatch(
    response.headers.get("content-disposition")!,
    /^attachment; filename="transactions-operating-\d{4}\.csv"$/,
  );
  assertEquals(response.headers.get("cache-control"), "no-store");
  const { page: ledger } = unwrap(
    await fixture.site.services.treasuries.commercial.transactions({
      account_id: OPERATING,
      start: "2026-01-01",
      end: "2026-01-31",
      limit: 25,
      offset: 5,
    }),
  );
  const lines = html.trimEnd().split("\r\n").slice(1);
  assertEquals(
    lines.map((line) => line.split(",").at(-1)),
    ledger.transactions.map(({ id }) => id),
  );
  const page = await read(fixture, `${PATH}?${query}`);
  assertStringIncludes(
    page.html,
    `href="${PATH}?${query.replaceAll("&", "&amp;")}&amp;format=csv"`,
  );
});

Deno.test("if only the transactions fail, the account is shown with a retry link", async () => {
  await using fixture = await createBankSite();
  const { bank } = fixture;
  bank.set({ response: 500, operation: "transactions" });
  const { response, words, html } = await read(fixture, `${PATH}?limit=25`);
  assertEquals(response.status, 502);
  assertMatch(words, /Operating .*The bank returned an error/);
  assertStringIncludes(html, `href="${PATH}?limit=25"`);
  assertEquals((await read(fixture, `${PATH}?format=csv`)).response.status, 502);
  // An active account is not restricted.
  bank.set({ response: 404, operation: "transactions" });
  assertMatch((await read(fixture, PATH)).words, /The bank did not find what was requested/);
});

Deno.test("if only the daily flow fails, the table is shown and the chart has an error", async () => {
  await using fixture = await createBankSite();
  const { treasuries } = fixture.site.services;
  const { transactions } = treasuries.commercial;
  let pages = 0;
  treasuries.commercial.transactions = (query) =>
    query.limit === 500 && ++pages === 2
      ? Promise.resolve({ ok: false, error: "rate_limited", message: "" })
      : transactions(query);
  const { response, words, html } = await read(fixture, `${PATH}?start=`);
  assertEquals(response.status, 200);
  assertMatch(words, /Unable to load chart data .*is limiting requests/);
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

Deno.test("an error code in the URL is shown only as our own text", async () => {
  await using fixture = await createBankSite();
  const { words } = await read(fixture, "/console/finance?refresh_error=call+0800+555");
  assertMatch(words, /could not be refreshed\. The bank's data could not be read\./);
  assert(!words.includes("0800"));
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
    const marks = Object.fromEntries(
      [...html.matchAll(/<a href="([^"]*)"[^>]* aria-current="(\w+)"/g)].map((
        [, href, mark],
      ) => [href, mark]),
    );
    assertEquals([path, marks["/console"], marks["/console/finance"]], [path, page, finance]);
  }
});
