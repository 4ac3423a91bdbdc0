import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { dollars } from "../lib/console/labels.ts";
import { DAY_MS, formatDay } from "../lib/time.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { transactionsUntil } from "../sandbox/bank_transactions.ts";
import { serveBankSite } from "./bank_site.ts";
import { becomes, testBrowser } from "./browser.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());

const COMMERCIAL = "commercial-console";
const FINANCE = "/console/finance";
const [OPERATING, PAYROLL] = createBank("commercial", 0).accounts;

const text = (page: Page, selector: string) => page.locator(selector).innerText();
const csvLink = (page: Page) => page.getByRole("link", { name: "Download these rows (CSV)" });
const iso = (time: string) => new Date(time).toISOString();

/** Sums the sandbox's transactions by day, independently of the site and in whole cents. */
function flowOf(accountId: string, now: number): Map<string, { in: number; out: number }> {
  const days = new Map<string, { in: number; out: number }>();
  for (const { createdAt, amount, status } of transactionsUntil(accountId, now)) {
    const day = createdAt.slice(0, 10);
    const sums = days.get(day) ?? { in: 0, out: 0 };
    days.set(day, sums);
    if (status === "sent") sums[amount > 0 ? "in" : "out"] += Math.round(amount * 100);
  }
  return days;
}

browser.test("the chart shows the sums of the bank's transactions and works by keyboard", {
  context: { viewport: { width: 1280, height: 900 } },
}, async (page) => {
  await using fixture = await serveBankSite();
  const { now } = fixture.time;
  await fixture.open(page, COMMERCIAL, FINANCE);
  await page.getByRole("link", { name: "Operating" }).press("Enter");
  await page.getByRole("heading", { name: "Operating", level: 1 }).waitFor();
  const flow = flowOf(OPERATING.id, now);
  const expected = (day: string) => {
    const { in: into, out } = flow.get(day) ?? { in: 0, out: 0 };
    return [into / 100, out / 100, (into + out) / 100].map(dollars);
  };
  const dayBefore = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);
  const chart = page.getByRole("figure", { name: "Daily flow" });
  await chart.locator(".u-over").waitFor();
  assertEquals(await chart.getByRole("radio").count(), 0); // the chart has no range controls of its own
  const rows = chart.locator("tbody tr");
  assertEquals(await rows.count(), 30);
  await page.getByRole("link", { name: "90 days" }).press("Enter");
  await rows.nth(89).waitFor();
  await chart.locator(".u-over").waitFor();
  assertEquals(await rows.count(), 90);
  const seen = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent!))
  );
  for (const [i, row] of seen.entries()) {
    const day = dayBefore(89 - i);
    assertEquals(row, [formatDay(day), ...expected(day)]);
  }
  await chart.locator(".chart-plot").focus();
  for (const [key, back] of [["End", 0], ["ArrowLeft", 1], ["ArrowLeft", 2]] as const) {
    await page.keyboard.press(key);
    const day = dayBefore(back);
    await becomes(() => chart.locator(".chart-tooltip-title").innerText(), formatDay(day));
    await becomes(() => chart.locator(".chart-tooltip-value").allInnerTexts(), expected(day));
  }
});

browser.test(
  "transactions can be paged and filtered by keyboard, and invalid filters stay as typed",
  {
    expectedErrors: [/status of 400/],
  },
  async (page) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, COMMERCIAL, `${FINANCE}/${PAYROLL.id}?start=`);
    const all = transactionsUntil(PAYROLL.id, fixture.time.now).reverse();
    const rows = page.getByRole("table", { name: / to / }).locator("tbody tr");
    const firstTime = () => rows.first().locator("time").getAttribute("datetime");
    assertEquals(await rows.count(), 50);
    assertEquals(await firstTime(), iso(all[0].createdAt));
    assert((await rows.first().innerText()).includes(all[0].counterpartyName));
    await page.getByRole("link", { name: "Older →" }).press("Enter");
    await page.waitForURL("**offset=50**");
    assertEquals(await firstTime(), iso(all[50].createdAt));
    await page.getByRole("link", { name: "← Newer" }).press("Enter");
    await page.waitForURL((url) => !url.search.includes("offset"));

    const form = page.getByRole("form", { name: "Date range" });
    await form.getByLabel("From").focus();
    await page.keyboard.type("01052026");
    await page.keyboard.press("Tab");
    await form.getByLabel("To").focus();
    await page.keyboard.type("02102026");
    await page.keyboard.press("Enter");
    await page.waitForURL("**start=2026-01-05&end=2026-02-10**");
    const within = all.filter(({ createdAt }) =>
      createdAt >= "2026-01-05" && createdAt < "2026-02-11"
    );
    assertMatch(await text(page, ".ledger-bar"), new RegExp(`of ${within.length},`));
    assertEquals(await form.getByLabel("From").inputValue(), "2026-01-05");
    const days = page.getByRole("figure", { name: "Daily flow" }).locator("tbody th");
    assertEquals(await days.last().innerText(), "Feb 10, 2026");

    const query = "start=soon&end=2026-02-10&limit=7000";
    const path = `${FINANCE}/${PAYROLL.id}?${query}`;
    assertEquals(await fixture.open(page, COMMERCIAL, path), 400);
    for (const [label, value] of [["From", "soon"], ["To", "2026-02-10"], ["Page size", "7000"]]) {
      assertEquals(await form.getByLabel(label).inputValue(), value);
    }
    const described = await form.getByLabel("From").getAttribute("aria-describedby");
    assertMatch(await text(page, `#${described}`), /Give a date/);
  },
);

browser.test(
  "applying a range keeps the scroll position, and going back shows the previous range",
  {
    context: { viewport: { width: 1280, height: 600 } },
    expectedErrors: [/status of 400/],
  },
  async (page) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, COMMERCIAL, `${FINANCE}/${OPERATING.id}`);
    const form = page.getByRole("form", { name: "Date range" });
    const figure = page.getByRole("figure", { name: "Daily flow" });
    const days = figure.locator("tbody th");
    const hydrated = () => figure.locator(".u-over").waitFor();
    const scrollTop = () => page.evaluate(() => Math.round(scrollY));
    await hydrated();
    const top = await page.evaluate(() => {
      scrollTo({ top: 90, behavior: "instant" });
      return Math.round(scrollY);
    });
    assertEquals(top, 90);
    await form.getByLabel("From").fill("2026-02-20");
    await form.getByRole("button", { name: "Show" }).click();
    await becomes(() => days.first().innerText(), "Feb 20, 2026");
    await hydrated();
    await becomes(scrollTop, top);

    await form.getByLabel("To").fill("2026-02-01");
    await form.getByRole("button", { name: "Show" }).click();
    await form.getByText("The end is before the start.").waitFor();
    await hydrated();
    await becomes(scrollTop, top);
    assert(await figure.isVisible());

    await form.getByRole("link", { name: "90 days" }).click();
    await becomes(() => days.count(), 90);
    await hydrated();
    await becomes(scrollTop, top);
    assertEquals(await form.getByLabel("To").inputValue(), "2026-03-01");

    await page.goBack();
    await form.getByText("The end is before the start.").waitFor();
    await page.goBack();
    await becomes(() => days.first().innerText(), "Feb 20, 2026");
  },
);

browser.test(
  "a page's rows can be downloaded as CSV, or the reason is shown and nothing is saved",
  {
    expectedErrors: [/status of 502/],
    context: { reducedMotion: "reduce" },
  },
  async (page, context) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, COMMERCIAL, `${FINANCE}/${OPERATING.id}?start=&limit=25&offset=25`);
    const [download] = await Promise.all([page.waitForEvent("download"), csvLink(page).click()]);
    assertMatch(download.suggestedFilename(), /^transactions-operating-\d{4}\.csv$/);
    const csv = await Deno.readTextFile(await download.path());
    const lines = csv.trimEnd().split("\r\n");
    const expected = transactionsUntil(OPERATING.id, fixture.time.now).reverse().slice(25, 50);
    assertEquals(lines.length, 26);
    assertEquals(
      lines.slice(1).map((line) => line.split(",")[2]),
      expected.map(({ amount }) => amount.toFixed(2)),
    );

    const saved: string[] = [];
    page.on("download", (download) => saved.push(download.suggestedFilename()));
    await fixture.withFault({ response: 429, operation: "transactions" }, async () => {
      await csvLink(page).click();
      await page.getByText("The bank is limiting requests.").waitFor();
    });
    await page.goBack();
    await context.clearCookies();
    await csvLink(page).click();
    await page.waitForURL("**/auth?next=**");
    assertEquals(saved, []);
  },
);

browser.test("without scripts, the pages work, and the refresh shows its result", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await using fixture = await serveBankSite();
  await fixture.open(page, COMMERCIAL, "/console");
  assertMatch(await page.locator(".total .figure").first().innerText(), /^\$/);
  await page.getByRole("link", { name: "View Details" }).click();
  fixture.time.now += DAY_MS;
  const refresh = page.getByRole("button", { name: "Refresh" });
  await refresh.click();
  await page.waitForURL(`**${FINANCE}?refreshed=1`);
  assertEquals(await text(page, ".refresh [role=status]"), "Refreshed.");
  assertEquals(await text(page, ".synced"), "Last synced: just now");
  await fixture.withFault({ response: 429 }, async () => {
    await refresh.click();
    await page.waitForURL(`**${FINANCE}?refresh_error=rate_limited`);
  });
  assertMatch(await text(page, ".refresh [role=alert]"), /limiting requests/);
  await refresh.click();
  await page.getByRole("link", { name: "Operating" }).click();
  await page.waitForURL(`**${FINANCE}/*`);
  assertEquals(await page.locator(".ledger tbody tr").count(), 50);
  const figures = page.getByRole("figure", { name: "Daily flow" }).locator("tbody tr");
  assertEquals(await figures.count(), 30);
  assert(await figures.first().isVisible(), "the chart's table");
  await page.getByLabel("Page size").selectOption("25");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**limit=25**");
  assertEquals(await page.locator(".ledger tbody tr").count(), 25);
});
