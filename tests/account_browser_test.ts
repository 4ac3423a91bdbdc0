import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { dollars } from "../lib/features/bank/console/labels.ts";
import { DAY_MS, formatDay } from "../lib/base/time.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { transactionsUntil } from "../sandbox/bank_transactions.ts";
import { serveBankSite } from "./bank_site.ts";
import { axeViolationsInBothSchemes, becomes, testBrowser } from "./browser.ts";
import { assertPixels } from "./layout.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const COMMERCIAL = "commercial-console";
const FINANCE = "/console/finance";
const [OPERATING, PAYROLL] = createBank("commercial", 0).accounts;

const text = (page: Page, selector: string) => page.locator(selector).innerText();

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

test("an account's chart, filters and transactions work by keyboard", {
  context: { viewport: { width: 1280, height: 1100 } },
  expectedErrors: [
    /status of 400 .*[?&]max=-1&.*format=json\)$/,
    /status of 502 .*[?&]start=2026-01-31&end=2026-03-01&.*format=json\)$/,
  ],
}, async (page, _context, t) => {
  await using fixture = await serveBankSite();
  await t.step("the chart shows the sums of the bank's transactions", async () => {
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
    // The page has one control of its range, so the totals and the list always match the chart.
    assertEquals(await page.getByRole("radio").count(), 0);
    const rows = chart.locator("tbody tr");
    assertEquals(await rows.count(), 30);
    const preset = page.getByRole("link", { name: "90 days" });
    await preset.press("Enter");
    await rows.nth(89).waitFor();
    await chart.locator(".u-over").waitFor();
    assertEquals(await rows.count(), 90);
    assertEquals(await preset.getAttribute("aria-current"), "true");
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
  await t.step(
    "filters apply while typing, without a scroll jump, and going back shows the previous ones",
    async () => {
      await fixture.open(page, COMMERCIAL, `${FINANCE}/${OPERATING.id}?start=&limit=10`);
      const form = page.getByRole("form", { name: "Filters" });
      const chart = page.getByRole("figure", { name: "Daily flow" });
      await chart.locator(".u-over").waitFor();
      const all = transactionsUntil(OPERATING.id, fixture.time.now).reverse();
      const count = (matches: (transaction: typeof all[number]) => boolean) =>
        all.filter(matches).length.toLocaleString("en-US");
      const shown = async () =>
        /of (\d+(?:,\d+)*)|None/.exec(await text(page, ".ledger-bar [role=status]"))?.[1] ?? "0";
      const scrollTop = () => page.evaluate(() => Math.round(scrollY));
      await page.evaluate(() => scrollTo({ top: 100, behavior: "instant" }));
      const search = form.getByLabel("Search");
      await search.focus();
      await page.keyboard.type("rent");
      await becomes(shown, count(({ note }) => note === "Rent"));
      await page.keyboard.type("xyz");
      await page.waitForURL(/search=rentxyz/);
      await becomes(shown, "0");
      assertEquals(await search.inputValue(), "rentxyz");
      assertEquals(await page.evaluate(() => document.activeElement!.id), "field-search");
      assertPixels([await scrollTop()], [100]);

      await search.fill("");
      await form.getByLabel("Kind").selectOption("wireFee");
      const fees = count(({ kind }) => kind === "wireFee");
      await becomes(shown, fees);
      await form.getByLabel("Highest amount").fill("-1");
      await form.getByText("Give an amount without a sign").waitFor();
      assertEquals(await shown(), fees);
      assertPixels([await scrollTop()], [100]);
      await form.getByLabel("Highest amount").fill("14.99");
      await becomes(shown, "0");
      await page.goBack();
      await becomes(shown, fees);
      assertEquals(await form.getByLabel("Highest amount").inputValue(), "");

      await fixture.withFault({ response: 503, operation: "transactions" }, async () => {
        await form.getByRole("link", { name: "30 days" }).click();
        await page.getByText("The transactions below match the previous filters.").waitFor();
      });
      assertEquals(await shown(), fees);
      await page.getByRole("link", { name: "Try again" }).click();
      await becomes(() => chart.locator("tbody th").count(), 30);
      assertEquals(await form.getByLabel("To").inputValue(), "2026-03-01");
      assertEquals(
        await form.getByRole("link", { name: "30 days" }).getAttribute("aria-current"),
        "true",
      );
    },
  );
  await t.step("pages and details can be opened, and focus returns to the row", async () => {
    await fixture.open(page, COMMERCIAL, `${FINANCE}/${PAYROLL.id}?start=&limit=10`);
    await page.getByText("next and previous row").waitFor();
    const all = transactionsUntil(PAYROLL.id, fixture.time.now).reverse();
    const panel = page.locator("#transaction");
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLElement).dataset.transaction);
    await page.getByRole("link", { name: "Page 2", exact: true }).press("Enter");
    await page.waitForURL("**offset=10**");
    const row = page.locator(".row-link");
    await becomes(() => row.first().getAttribute("data-transaction"), all[10].id);
    for (const key of ["j", "j", "k", "j", "Enter"]) await page.keyboard.press(key);
    await panel.getByText(all[11].id).waitFor();
    assertEquals(await page.evaluate(() => document.activeElement!.id), "transaction");
    assertMatch(page.url(), new RegExp(`offset=10&transaction=${all[11].id}`));
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.setViewportSize({ width: 375, height: 1100 });
    assertEquals(await row.first().isVisible(), false, "on a phone, the details replace the list");
    await page.setViewportSize({ width: 1280, height: 1100 });
    await page.keyboard.press("j");
    await panel.getByText(all[12].id).waitFor();
    await page.reload();
    await page.getByText("next and previous row").waitFor();
    await panel.getByText(all[12].id).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    assertEquals(await focused(), all[12].id);
    await page.waitForURL(/offset=10$/);
    await page.keyboard.press("/");
    await page.keyboard.type("jk/");
    assertEquals(await page.getByLabel("Search").inputValue(), "jk/");
    await page.getByText("No transactions in these dates match the filters.").waitFor();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("Keyboard shortcuts are off.").waitFor();
    await page.keyboard.press("/");
    assertEquals(await page.evaluate(() => document.activeElement!.tagName), "BUTTON");
  });
});
