import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sumAmounts } from "../lib/features/bank/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { heldTimers } from "../lib/testing/held_timers.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";
import { PERSON } from "./contact_site.ts";

const COMMERCIAL = "commercial-console";
const FOUNDATION = "foundation-console";
const REPORT = "/console/report";

/** Opens a page. `words` is its text, and `html` also contains the data of its scripts. */
async function open(
  fixture: BankSite,
  surface: SurfaceName,
  email = ADMIN,
  path = "/console",
) {
  const response = await fixture.request(surface, path, email, {
    headers: { accept: "text/html" },
  });
  assertEquals(response.status, 200);
  const html = await response.text();
  return { html, words: html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") };
}

const countOf = (html: string, text: string) => html.split(text).length - 1;

Deno.test("administrators of the commercial console see the money, alerts and records", async () => {
  await using fixture = await createBankSite();
  const { alerts, treasuries } = fixture.site.services;
  await alerts.report({ organisation: "commercial", kind: "mail_failed", problem: "1" });
  await alerts.report({ organisation: "foundation", kind: "payment_failed", problem: "2" });
  for (const [surface, name] of [["commercial", "Ada Example"], ["foundation", "Elsewhere"]]) {
    const origin = fixture.site.services.surfaces.url(surface as SurfaceName)!;
    const response = await fixture.site.request("api", "/api/ir/register", {
      method: "POST",
      headers: { "content-type": "application/json", origin: new URL(origin).origin },
      body: JSON.stringify({ ...PERSON, name }),
    });
    assert(response.ok);
  }
  const { html, words } = await open(fixture, COMMERCIAL);
  assertMatch(words, /Open alerts All alerts Mail not delivered New just now/);
  assertMatch(words, /New records All records Ada Example Level 1 just now 1 record this month/);
  assert(!words.includes("Elsewhere") && !words.includes("Payment failed"));
  assert(!html.includes('class="chart'), "the charts are those of finance");
  assertMatch(
    words,
    /This month 1 Mar, .* In \$[\d,.]+ 1 Feb: \$[\d,.]+ .* Net \$[\d,.]+ 1 Feb: [+-]\$/,
  );
  assertStringIncludes(words, "Those posted after 20:00 UTC are not in the sums yet.");
  assertEquals(countOf(html, 'class="spark block"'), 6);

  const newest = (await treasuries.commercial.latest(8)).transactions!;
  assertEquals(countOf(html, '<td class="when'), 8);
  assertStringIncludes(words, `Latest transactions The latest`);
  const rows = words.slice(words.indexOf("Latest transactions The latest"));
  assertStringIncludes(rows, `${newest[0].counterparty} `);
  assertStringIncludes(rows, newest[7].account.nickname);
  const [link] = /\/console\/finance\/[^"]*\?transaction=[^"]*/.exec(html)!;
  assertStringIncludes(link, encodeURIComponent(newest[0].id));
  const details = await open(fixture, COMMERCIAL, ADMIN, link);
  assertStringIncludes(details.words, newest[0].counterparty);
});

Deno.test("the sums of the dashboard and of finance lead to exactly the transactions behind them", async () => {
  await using fixture = await createBankSite();
  fixture.time.now += 17 * DAY_MS;
  const read = async (path: string) => (await open(fixture, COMMERCIAL, ADMIN, path)).html;
  const sumsOf = (html: string) =>
    [...html.matchAll(/href="(\/console\/finance\/flow[^"]*)"[^>]*>([^<]*)</g)]
      .map(([, href, text]) => ({ href: href.replaceAll("&amp;", "&"), text }));
  const dashboard = await read("/console");
  assertStringIncludes(dashboard, "Choose an amount to see its transactions.");
  const sums = sumsOf(dashboard);
  assertEquals(sums.length, 9); // in, out and net, of this month and twice of the last one
  const finance = await read("/console/finance");
  assertEquals(sumsOf(finance), sums);
  for (const { href, text } of sums) {
    const page = await read(href);
    const label = /direction=in/.test(href) ? "In" : /out/.test(href) ? "Out" : "Net";
    const figure = new RegExp(`>${label}</span><span class="figure ink">([^<]*)<`).exec(page)?.[1];
    assertEquals(figure, text, href);
    const [group] = /\/console\/finance\/flow[^"]*counterparty=[^"#]*/.exec(page)!;
    const amount =
      new RegExp(`${RegExp.escape(group)}.*?mono">[\\d,]+<.*?mono">([^<]*)<`).exec(page)![1];
    const one = await read(group.replaceAll("&amp;", "&"));
    assertStringIncludes(one, `<span class="figure ink">${amount}<`, group);
  }
  // Each change of the month equals the net of the account's page that it leads to.
  const changes = [...finance.matchAll(/href="(\/console\/finance\/[^"]*)"[^>]*>([+-]?\$[^<]*)</g)]
    .filter(([, href]) => !href.includes("/flow"));
  assertEquals(changes.length, 6);
  for (const [, href, text] of changes) {
    const page = await read(href.replaceAll("&amp;", "&"));
    assertStringIncludes(page, `>Net</span><span class="figure ink">${text.replace("+", "")}<`);
  }
  const total = /<tfoot>.*?mono">([+-]\$[^<]*)</.exec(finance)![1];
  assertEquals(total, sums[6].text);
});

Deno.test("finance shows the change since a day, and says which days are not known", async () => {
  await using fixture = await createBankSite();
  const since = async (day: string) =>
    (await open(fixture, COMMERCIAL, ADMIN, `/console/finance?since=${day}`)).words;
  assertMatch(await since("2025-12-02"), /Change since the end of 2 Dec 2025 .* 2 Dec 2025 Change/);
  await fixture.site.services.jobs.run("bank-sums");
  const change =
    /([+-]?\$[\d,.]+) since the end of 28 Feb/.exec((await open(fixture, COMMERCIAL)).words)![1];
  assertStringIncludes(await since("2026-02-28"), ` ${change} `);
  assertStringIncludes(
    await since("2025-12-01"),
    "the first day that can be chosen is 2 Dec 2025.",
  );
  assertStringIncludes(await since("2026-03-01"), "Choose a day before today.");
});

Deno.test("board members see the total, its change and the line of 90 days from stored sums, and no account or transaction", async () => {
  await using fixture = await createBankSite();
  const { accounts, transactions } = createBank("commercial", fixture.time.now);
  const counterparties = [...transactions.values()].flat().map((one) => one.counterpartyName);
  const secrets = new Set([
    ...accounts.flatMap(({ nickname, accountNumber }) => [nickname ?? [], accountNumber].flat()),
    ...counterparties,
  ]);
  const before = await open(fixture, COMMERCIAL, BOARD);
  assert(!before.words.includes("last 90 days") && !before.words.includes("since the end of"));
  const { jobs, kv } = fixture.site.services;
  assertEquals(
    (await jobs.run("bank-sums"))?.detail,
    "foundation: 1 day, commercial: 90 days",
  );
  assertEquals((await Array.fromAsync(kv.list({ prefix: ["bank_sums"] }))).length, 2);
  fixture.bankRequests();
  const reports: string[] = [];
  for (const path of ["/console", "/console?wait=1", REPORT, `${REPORT}?wait=1`]) {
    fixture.bankRequests();
    const { html, words } = await open(fixture, COMMERCIAL, BOARD, path);
    assertMatch(words, /\$11,347,466\.34 .*Active accounts 6/, path);
    assertMatch(words, /Last activity \w+/, path);
    assertMatch(
      words,
      /\$[\d,.]+ since the end of 28 Feb 2026\s*, and [+-]?\$[\d,.]+ in February 2026/,
    );
    assertMatch(words, /Balance, last 90 days/);
    assertStringIncludes(html, 'class="printed-trend"');
    for (const text of [...secrets, 'class="spark block', "/console/finance", "This month Mar"]) {
      assert(!html.includes(text), `${path}: ${text}`);
    }
    for (const { id } of accounts) assert(!html.includes(id));
    assertEquals(fixture.bankRequests(), {});
    if (path.startsWith(REPORT)) reports.push(/ As of .* in US dollars/.exec(words)![0]);
  }
  const own = (await open(fixture, COMMERCIAL, ADMIN, REPORT)).words;
  assertStringIncludes(own, reports[0]);
  assertStringIncludes(
    (await open(fixture, COMMERCIAL)).words,
    "The board sees this card, the line",
  );
});

Deno.test("the sums of days that are not known any longer are kept, and each day ends with its last sum", async () => {
  await using fixture = await createBankSite();
  const { jobs, treasuries: { foundation } } = fixture.site.services;
  for (const hours of [0, 1, 24]) {
    fixture.time.now += hours * 3_600_000;
    assertMatch((await jobs.run("bank-sums"))!.detail!, /^foundation: [12] days?/);
  }
  const { days, balances } = await foundation.sums.read();
  assertEquals(days, ["2026-03-01", "2026-03-02"]);
  const { total_balance } = await foundation.summary();
  assertEquals(balances[1], total_balance);
  assert(balances[0] > 0 && balances[0] !== total_balance);
  await fixture.withFault({ response: 500 }, async () => {
    fixture.time.now += DAY_MS;
    assertEquals(
      (await jobs.run("bank-sums"))?.detail,
      "foundation: upstream_error, commercial: upstream_error",
    );
    assertEquals((await foundation.sums.read()).days, days);
    fixture.time.now += 89 * DAY_MS;
    assertEquals((await foundation.sums.read()).days, []);
  });
});

Deno.test("the charts of finance and accounts are for administrators, and fail while the bank fails once the balances have expired", async () => {
  await using fixture = await createBankSite();
  const { accounts } = createBank("commercial", fixture.time.now);
  const account = `/console/finance/${accounts[0].id}?chart=balance`;
  const paths = ["/console/finance?chart=balance", "/console/finance?chart=flow", account];
  const get = async (path: string, email = ADMIN, surface: SurfaceName = COMMERCIAL) => {
    const response = await fixture.request(surface, path, email);
    return { status: response.status, body: await response.json().catch(() => null) };
  };
  const [balance, flow, own] = await Promise.all(paths.map((path) => get(path)));
  const { total_balance, accounts: listed } = await fixture.site.services.treasuries.commercial
    .accounts() as { total_balance: number; accounts: { id: string; balance: number }[] };
  const lastOf = ({ body }: typeof balance, i = 0) => body.datasets[i].data.at(-1);
  assertEquals([balance.body.labels.length, flow.body.labels.length], [90, 90]);
  assertEquals(lastOf(balance), total_balance);
  assertEquals(lastOf(own), listed.find(({ id }) => id === accounts[0].id)!.balance);
  const change = sumAmounts([total_balance, -balance.body.datasets[0].data.at(-8)]);
  const net = sumAmounts(flow.body.datasets[2].data.slice(-7));
  assertEquals(net, change, "transfers between own accounts cancel out");
  for (const path of paths) {
    assertEquals((await get(path, BOARD)).status, 403);
    assertEquals((await get(path, ADMIN, FOUNDATION)).status, 404);
  }
  assertEquals((await get("/console/finance?chart=constructor")).status, 404);
  assertEquals((await get("/console/finance/unknown?chart=balance")).status, 404);
  await fixture.withFault({ response: 500, operation: "transactions" }, async () => {
    for (const path of paths) assertEquals((await get(path)).status, 200, "as the balances");
    fixture.time.now += 20 * MINUTE_MS;
    for (const path of paths) assertEquals((await get(path)).status, 502);
  });
});

Deno.test("the foundation's console requests no transactions, and draws a line once it knows two days", async () => {
  await using fixture = await createBankSite();
  for (const email of [ADMIN, BOARD]) {
    for (const path of ["/console", REPORT]) {
      const { html, words } = await open(fixture, FOUNDATION, email, path);
      assert(!/class="(chart|spark|printed-trend)/.test(html), path);
      assert(!words.includes("Balance, last 90") && !html.includes("/console/finance/"), path);
      const says = words.includes("How the total changes is shown here once two days are known");
      assertEquals(says, path === REPORT || email === BOARD, path);
    }
  }
  await fixture.site.services.jobs.run("bank-sums");
  fixture.time.now += DAY_MS;
  for (const path of ["/console", REPORT]) {
    const { html, words } = await open(fixture, FOUNDATION, BOARD, path);
    assertMatch(words, /since the end of 28 Feb|Balance, last 90 days/);
    assertStringIncludes(html, "printed-trend");
    assert(!words.includes("once two days are known"), path);
  }
  fixture.bankRequests();
  const { words } = await open(fixture, FOUNDATION);
  assertMatch(words, /Accounts .* Foundation Treasury Checking .* Active \$[\d,.]+/);
  assertEquals("transactions" in fixture.bankRequests(), false);
});

Deno.test("the store contains days and sums, but no transaction", async () => {
  await using fixture = await createBankSite();
  await open(fixture, COMMERCIAL);
  const entries = await Array.fromAsync(fixture.site.services.kv.list({ prefix: [] }));
  assertEquals(entries.filter(({ key }) => key[0] === "bank_daily").length, 6);
  const text = Deno.inspect(entries, {
    depth: 9,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
  });
  const { transactions } = createBank("commercial", fixture.time.now);
  for (const { id, counterpartyName } of [...transactions.values()].flat()) {
    assert(!text.includes(id) && !text.includes(counterpartyName), counterpartyName);
  }
});

Deno.test("while the bank fails, each card shows stale data or none, with the reason", async () => {
  await using fixture = await createBankSite();
  await fixture.withFault({ response: 429, operation: "transactions" }, async () => {
    const { words } = await open(fixture, COMMERCIAL);
    assertMatch(words, /Treasury Live .* Not known .* The bank is limiting requests/);
    assertMatch(words, /In, out and net are unavailable/);
    assertMatch(words, /Transactions are unavailable/);
  });
  await open(fixture, COMMERCIAL);
  fixture.time.now += 20 * MINUTE_MS;
  await fixture.withFault({ response: 500 }, async () => {
    const { html, words } = await open(fixture, COMMERCIAL);
    assertMatch(
      words,
      /Treasury Not connected .* in 90 days .* Stale As of 20 minutes ago/,
    );
    assertEquals(countOf(words, "Stale"), 2);
    assertEquals(countOf(html, 'class="spark block"'), 6);
    assertMatch(words, /Transactions are unavailable They are read from the bank each time/);
    const report = await open(fixture, COMMERCIAL, BOARD, REPORT);
    assertMatch(report.words, /Bank connection Not connected. .* \(last known\)/);
  });
});

Deno.test("without any bank data, one card says what to do", async () => {
  await using fixture = await createBankSite({ COMMERCIAL_BANK_API_TOKEN: "" });
  const { words } = await open(fixture, COMMERCIAL);
  assertMatch(words, /No bank is connected .* Connect the bank Open alerts/);
  await fixture.withFault({ response: 500 }, async () => {
    const { words } = await open(fixture, FOUNDATION);
    assertMatch(words, /The bank’s data is unavailable .* Try again Open alerts/);
  });
});

Deno.test("a bank without transactions shows a flat line and says that there are none", async () => {
  await using fixture = await createBankSite({}, {}, {
    fetch: (url, init) =>
      String(url).includes("/transactions")
        ? Promise.resolve(Response.json({ total: 0, transactions: [] }))
        : fetch(url, init),
  });
  const { words } = await open(fixture, COMMERCIAL);
  assertMatch(words, / \$0.00 in 90 days/);
  assertMatch(words, /In \$0.00 1 Feb: \$0.00 Out \$0.00/);
  assertMatch(words, /No transactions in the last 30 days/);
  fixture.time.now += DAY_MS;
  await fixture.site.services.jobs.run("bank-sums");
  const report = await open(fixture, COMMERCIAL, ADMIN, REPORT);
  assertMatch(report.words, /\$0.00 since the end of 28 Feb .* Balance, last 90 days/);
});

Deno.test("the foundation's own account is announced while the bank does not share it", async () => {
  await using fixture = await createBankSite({
    FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
    FOUNDATION_ACCOUNT_NICKNAME: "Endowment",
    FOUNDATION_ACCOUNT_LAST4: "4321",
  });
  const { html, words } = await open(fixture, FOUNDATION);
  assertMatch(words, /Accounts Finance Pending API access Endowment .* 4321/);
  assert(!html.includes("11111111"));
});

Deno.test("a slow bank delays pages by little: they show what is stored and a link that waits", async () => {
  const patience = heldTimers();
  await using fixture = await createBankSite({}, {}, { schedule: patience.schedule });
  await open(fixture, COMMERCIAL);
  await fixture.signIn(BOARD, COMMERCIAL);
  const { accounts: [{ account }] } = unwrap(
    await fixture.site.services.treasuries.commercial.history(),
  );
  fixture.time.now += 20 * MINUTE_MS;
  const shown = new AbortController();
  fixture.bank.set({ response: "slow", delayMs: HANG_MS, until: shown.signal });
  const paths = ["/console", REPORT, `/console/finance/${account.id}`];
  patience.end();
  const [dashboard, report, ledger] = await Promise.all(
    paths.map((path) => open(fixture, COMMERCIAL, ADMIN, path)),
  );
  shown.abort();
  for (const { html } of [dashboard, report, ledger]) assertStringIncludes(html, "wait=1");
  assertMatch(dashboard.words, /Treasury Waiting for the bank/);
  assertMatch(dashboard.words, /Last known: \$[\d,.]+ in 6 active accounts, 20 minutes ago/);
  assertMatch(dashboard.words, /Stale As of 20 minutes ago ?\. The bank is slow to respond\./);
  assertMatch(dashboard.words, /Latest transactions The bank is slow/);
  assertMatch(report.words, /\(last known\)/);
  assertStringIncludes(ledger.words, account.nickname);
  assertMatch(ledger.words, /Updated 20 minutes ago .*The bank is slow to respond/);
  fixture.bank.set(null);
  const { html, words } = await open(fixture, COMMERCIAL, ADMIN, "/console?wait=1");
  assertMatch(words, /Treasury Live/);
  assert(!html.includes("wait=1"));
});

Deno.test("the dashboard reads each row of the store once", async () => {
  const kv = await openKv(":memory:");
  await using fixture = await createBankSite({}, {}, { kv });
  await open(fixture, COMMERCIAL);
  const reads: string[] = [];
  const { get, getMany, list } = kv;
  kv.get = ((...args) => {
    reads.push(JSON.stringify(args[0]));
    return get.apply(kv, args);
  }) as typeof kv.get;
  kv.getMany = ((...args) => {
    reads.push(...args[0].map((key) => JSON.stringify(key)));
    return getMany.apply(kv, args as Parameters<typeof getMany>);
  }) as typeof kv.getMany;
  kv.list = ((...args) => {
    reads.push(JSON.stringify(args[0]));
    return list.apply(kv, args);
  }) as typeof kv.list;
  await open(fixture, COMMERCIAL);
  assert(reads.some((key) => key.includes("bank:last_activity")));
  assertEquals(reads.toSorted(), [...new Set(reads)].sort());
  assert(!reads.some((key) => key.includes("contacts")), "the lists are kept");
});
