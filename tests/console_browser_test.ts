import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { dollars, nameOf } from "../lib/features/bank/console/labels.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { BOARD, serveBankSite, type ServedBankSite } from "./bank_site.ts";
import { axeViolations, testBrowser } from "./browser.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const FOUNDATION = "foundation-console";
const COMMERCIAL = "commercial-console";
const FINANCE = "/console/finance";

const text = (page: Page, selector: string) => page.locator(selector).innerText();
const sidebar = (page: Page) => page.getByRole("navigation", { name: "Console" });
const totalOf = (page: Page) => page.locator(".total .figure").first().innerText();

test("pages open by keyboard and without the bank, and everybody can sign out", {
  expectedErrors: [/status of 403 .*\/console\/surfaces\)$/],
}, async (page, _context, t) => {
  await using fixture = await serveBankSite();
  await t.step("an administrator can open the finance page by keyboard", async () => {
    await openFinanceByKeyboard(page, fixture);
  });
  await t.step("a surface's routes can be expanded by keyboard in the registry", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await fixture.open(page, FOUNDATION, "/console/surfaces");
    const surface = page.getByRole("listitem").filter({
      has: page.getByRole("heading", { name: "Workbench" }),
    });
    const row = surface.getByRole("row", { name: "/dev/*", exact: true });
    assert(!await row.isVisible());
    await surface.locator("summary").focus();
    await page.keyboard.press("Enter");
    await row.waitFor();
  });
  await t.step(
    "without the bank, the last good figures are greyed out, with their age and the error",
    () => assertLastKnownFigures(page),
  );
  await t.step("signing out leads to the sign-in page from the 403 page", async () => {
    await fixture.open(page, FOUNDATION, "/console/surfaces", "else@example.org");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/auth?next=/console");
  });
  await t.step(
    "signing out leads to the sign-in page from the dashboard too, and ends access",
    async () => {
      await fixture.open(page, COMMERCIAL, "/console", BOARD);
      await page.getByRole("button", { name: "Sign out" }).press("Enter");
      await page.waitForURL("**/auth?next=/console");
      const cookies = await page.context().cookies(page.url());
      assert(cookies.every(({ name }) => name !== "app_session"));
      const { headers } = await fixture.request(COMMERCIAL, "/console", BOARD);
      assertMatch(headers.get("location")!, /\/auth\?next=/);
    },
  );
});

async function openFinanceByKeyboard(page: Page, fixture: ServedBankSite): Promise<void> {
  await fixture.open(page, FOUNDATION, "/console");
  const links = [
    "Dashboard",
    "Inbox",
    "Finance",
    "Payments",
    "Records",
    "Issuers",
    "Alerts",
    "Mail",
    "Infrastructure",
    "Surfaces",
    "Team",
    "Audit log",
  ];
  assertEquals(await sidebar(page).getByRole("link").allInnerTexts(), links);
  const current = sidebar(page).locator("[aria-current=page]");
  assertEquals(await current.innerText(), "Dashboard");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement!.textContent), "Skip to content");
  // The wordmark, the search, then three entries.
  for (let i = 0; i < 5; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${FINANCE}`);
  assertEquals(await current.innerText(), "Finance");
  const banner = await page.getByRole("region", { name: "Connected entity" }).innerText();
  assertMatch(banner, /Connected to: Open Records Foundation Ltd \(proof of connection\)/);
  assertMatch(banner, /rekeyed when the foundation's own account opens/);
  assertEquals(await page.getByRole("table").count(), 0);
  // The foundation's cards have no links.
  assertEquals(await page.locator("main a").allInnerTexts(), ["Low-balance alerts"]);
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("link", { name: "View Details" }).click();
  await page.waitForURL(`**${FINANCE}`);

  // The whole sidebar can be reached in a low window.
  await page.setViewportSize({ width: 1000, height: 280 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const { y, height } = (await page.getByRole("button", { name: "Sign out" }).boundingBox())!;
  assert(y >= 0 && y + height <= 280, `${y}, ${height}`);
}

test(
  "each account has a card, and a refresh shows the new figures or the error",
  { expectedErrors: [/(status of (401|502)|ERR_FAILED) .*\/api\/bank\/refresh\)$/] },
  async (page, context, t) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, COMMERCIAL, FINANCE);
    await t.step("restricted accounts are not counted", async () => {
      const { accounts, total_balance } = await fixture.site.services.treasuries.commercial
        .accounts();
      const cards = page.getByRole("region", { name: "Accounts", exact: true }).getByRole(
        "listitem",
      );
      const active = accounts.filter(({ status }) => status === "active");
      assertEquals(await cards.count(), 6);
      for (const [i, account] of active.entries()) {
        const words = await cards.nth(i).innerText();
        const { balance, last4 } = account;
        for (const part of [nameOf(account), "Active", dollars(balance)]) {
          assert(words.includes(part));
        }
        assertEquals(words.split(last4).length, 2); // once
        const look = await cards.nth(i).locator(".figure").evaluate((element) => {
          const { textAlign, fontFamily } = getComputedStyle(element);
          return { textAlign, fontFamily };
        });
        assertEquals(look.textAlign, "right");
        assertMatch(look.fontFamily, /monospace$/);
      }
      const restricted = page.getByRole("region", { name: "Restricted" }).getByRole("listitem");
      assertMatch(await restricted.innerText(), /^Reserve\s+Restricted/);
      assertEquals(await totalOf(page), dollars(total_balance));
      const banner = await page.getByRole("region", { name: "Connected entity" }).innerText();
      assertMatch(banner, /^Attest Systems Inc\s+Commercial Treasury/);
    });
    await t.step("refresh shows its progress and the new figures without a reload", async () => {
      const before = await totalOf(page);
      const cards = await page.locator(".accounts").first().innerText();
      await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
      fixture.time.now += 3 * DAY_MS;
      const button = page.getByRole("button", { name: "Refresh" });
      const status = page.locator(".refresh [role=status]");
      const released = Promise.withResolvers<void>();
      await page.route("**/api/bank/refresh", async (route) => {
        await released.promise;
        await route.continue();
      });
      await button.press("Enter");
      await page.locator(".refresh button[aria-busy=true]").waitFor();
      assertEquals(await status.innerText(), "Fetching from the bank.");
      assertEquals(await totalOf(page), before);
      released.resolve();
      await status.getByText("Refreshed.").waitFor();
      assertEquals(await button.getAttribute("aria-busy"), "false");
      assert(
        await button.evaluate((element) => document.activeElement === element),
        "it keeps the focus",
      );
      assertEquals(await text(page, ".synced"), "Last synced: just now");
      const { total_balance } = await fixture.site.services.treasuries.commercial.accounts();
      assertEquals(await totalOf(page), dollars(total_balance));
      assertNotEquals(await totalOf(page), before);
      assertNotEquals(await page.locator(".accounts").first().innerText(), cards);
      assert(await page.evaluate(() => "stayed" in globalThis), "no reload");
      await page.unroute("**/api/bank/refresh");
    });
    await t.step("a failed refresh shows the error and greys out the old figures", async () => {
      const before = await totalOf(page);
      const button = page.getByRole("button", { name: "Refresh" });
      const alert = page.getByRole("alert");
      await fixture.withFault({ response: 429 }, async () => {
        await button.click();
        await alert.getByText("The bank is limiting requests.").waitFor();
      });
      assertEquals(await totalOf(page), before);
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 });
        const title = await page.getByRole("heading", { level: 1 }).boundingBox();
        assert(title!.height < 50, `the heading stays on one line at ${width}`);
      }
      assertEquals(await axeViolations(page), []);
      assertEquals(await page.locator(".stale .account").count(), 7);
      assertMatch(
        await page.getByRole("region", { name: "Connected entity" }).innerText(),
        /Not con/,
      );

      await page.route("**/api/bank/refresh", (route) => route.abort());
      await button.click();
      await alert.getByText("The console did not respond.").waitFor();
      await page.unroute("**/api/bank/refresh");
      const cookies = await context.cookies();
      await context.clearCookies();
      await button.click();
      await alert.getByText("You are signed out").waitFor();
      assertEquals(await totalOf(page), before);
      await context.addCookies(cookies);
      await button.click();
      await page.getByText("Refreshed.").waitFor();
      assertEquals([await alert.count(), await page.locator(".stale").count()], [0, 0]);
    });
  },
);

test("'Updated X minutes ago' is updated while the page is open", {}, async (page) => {
  await using fixture = await serveBankSite();
  await page.clock.install({ time: 0 }); // the browser's clock starts in 1970
  await fixture.open(page, FOUNDATION, "/console");
  const updated = page.locator(".treasury-foot span");
  assertEquals(await updated.innerText(), "Updated just now");
  await page.clock.runFor(70_000);
  assertEquals(await updated.innerText(), "Updated 1 minute ago");
  await page.clock.runFor(9 * MINUTE_MS);
  assertEquals(await updated.innerText(), "Updated 10 minutes ago");
  fixture.time.now += 11 * MINUTE_MS;
  await page.reload();
  assertEquals(await updated.innerText(), "Updated 11 minutes ago");
  await fixture.open(page, FOUNDATION, FINANCE);
  assertEquals(await text(page, ".synced"), "Last synced: 11 minutes ago");
  await page.clock.runFor(50 * MINUTE_MS);
  assertEquals(await text(page, ".synced"), "Last synced: 1 hour ago");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Refreshed.").waitFor();
  assertEquals(await text(page, ".synced"), "Last synced: just now");
  await page.clock.runFor(70_000);
  assertEquals(await text(page, ".synced"), "Last synced: 1 minute ago");
});

async function assertLastKnownFigures(page: Page): Promise<void> {
  await using fixture = await serveBankSite();
  const summary = await fixture.site.services.treasuries.foundation.summary();
  fixture.time.now += 3 * HOUR_MS;
  await fixture.withFault({ response: 500 }, async () => {
    await fixture.open(page, FOUNDATION, "/console", BOARD);
    const card = page.getByRole("region", { name: "Treasury" });
    assertEquals(await totalOf(page), "–");
    assertMatch(await card.innerText(), /Not connected[^]*The bank returned an error\./);
    assertEquals(
      await card.locator(".stale").innerText(),
      `Last known: ${dollars(summary.total_balance)} in 6 active accounts, 3 hours ago`,
    );

    await fixture.open(page, FOUNDATION, FINANCE);
    assertEquals(await text(page, ".synced"), "Last synced: 3 hours ago");
    assertEquals(await text(page, ".stale .figure"), dollars(summary.total_balance));
    assertMatch(await page.getByRole("alert").innerText(), /returned an error/);
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("region", { name: "Accounts", exact: true }).waitFor();
  assertEquals(await page.locator(".stale").count(), 0);
}
