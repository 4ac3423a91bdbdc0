import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { dollars } from "../lib/console/labels.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time.ts";
import { FOUNDATION_ACCOUNT_ID } from "../sandbox/bank_data.ts";
import { BOARD, serveBankSite } from "./bank_site.ts";
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

test(
  "a board member sees the treasury card and no other bank data",
  {},
  async (page) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, FOUNDATION, "/console", BOARD);
    const card = page.getByRole("region", { name: "Treasury" });
    // On a busy machine the page may be sent before the bank has responded, and then updates itself.
    await card.getByText("Live").waitFor();
    const words = await card.innerText();
    const summary = await fixture.site.services.treasuries.foundation.summary();
    assertMatch(words, /^Treasury\s+Live\s+Total balance/);
    assertEquals(await totalOf(page), dollars(summary.total_balance));
    assertMatch(await totalOf(page), /^\$\d{1,3}(,\d{3})+\.\d\d$/);
    assertMatch(words, /Active accounts\s+6/);
    assertMatch(words, /Open Records Foundation Ltd\s+\(proof of connection\)/);
    assertMatch(words, /Updated (just now|\d+ minutes? ago)/);
    assertEquals(await card.getByRole("link").count(), 0);
    const links = ["Dashboard", "Records", "Surfaces"];
    assertEquals(await sidebar(page).getByRole("link").allInnerTexts(), links);
    assertMatch(await text(page, ".console-operator"), /board@example\.org\s+Board member \(L2\)/);

    await fixture.open(page, COMMERCIAL, "/console", BOARD);
    const commercial = await card.innerText();
    assertMatch(commercial, /Last activity\s+(just now|\d+ (minute|hour|day)s? ago)/);
    assertMatch(commercial, /Active accounts\s+6/);
    assert(!commercial.includes("proof of connection"));
  },
);

test("an administrator can open the finance page by keyboard", {}, async (page) => {
  await using fixture = await serveBankSite();
  await fixture.open(page, FOUNDATION, "/console");
  const links = [
    "Dashboard",
    "Finance",
    "Payments",
    "Records",
    "Alerts",
    "Infrastructure",
    "Surfaces",
    "Audit log",
  ];
  assertEquals(await sidebar(page).getByRole("link").allInnerTexts(), links);
  const current = sidebar(page).locator("[aria-current=page]");
  assertEquals(await current.innerText(), "Dashboard");
  await page.keyboard.press("Tab");
  assertEquals(await page.evaluate(() => document.activeElement!.textContent), "Skip to content");
  // The wordmark, the search, then two entries.
  for (let i = 0; i < 4; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${FINANCE}`);
  assertEquals(await current.innerText(), "Finance");
  const banner = await page.getByRole("region", { name: "Connected entity" }).innerText();
  assertMatch(banner, /Connected to: Open Records Foundation Ltd \(proof of connection\)/);
  assertMatch(banner, /rekeyed when the foundation's own account opens/);
  assertEquals(await page.getByRole("table").count(), 0);
  assertEquals(await page.locator("main a").count(), 0); // the foundation's cards have no links
  await page.getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("link", { name: "View Details" }).click();
  await page.waitForURL(`**${FINANCE}`);

  // The whole sidebar can be reached in a low window.
  await page.setViewportSize({ width: 1000, height: 280 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const { y, height } = (await page.getByRole("button", { name: "Sign out" }).boundingBox())!;
  assert(y >= 0 && y + height <= 280, `${y}, ${height}`);
});

test(
  "signing out leads to the sign-in page and ends access, also on the 403 page",
  { context: { reducedMotion: "reduce" }, expectedErrors: [/403/] },
  async (page) => {
    await using fixture = await serveBankSite();
    await fixture.open(page, COMMERCIAL, "/console", BOARD);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.waitForURL("**/auth?next=/console");
    await page.goto(fixture.site.services.surfaces.url(COMMERCIAL, "/console")!);
    assertMatch(page.url(), /\/auth\?next=\/console$/);

    await fixture.open(page, FOUNDATION, "/console/surfaces", "else@example.org");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/auth?next=/console");
  },
);

test("a surface's routes can be expanded by keyboard in the registry", {}, async (page) => {
  await using fixture = await serveBankSite({ FOUNDATION_BANK_API_TOKEN: "" });
  await fixture.open(page, FOUNDATION, "/console/surfaces");
  const surface = page.getByRole("listitem").filter({
    has: page.getByRole("heading", { name: "Workbench" }),
  });
  const row = surface.getByRole("row", { name: "/dev/* CONFIGURED" });
  assert(!await row.isVisible());
  await surface.locator("summary").focus();
  await page.keyboard.press("Enter");
  await row.waitFor();
});

test(
  "each account has a card, and a refresh shows the new figures",
  {},
  async (page, _, t) => {
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
      for (const [i, { nickname, balance, last4 }] of active.entries()) {
        const words = await cards.nth(i).innerText();
        for (const part of [nickname, last4, "Active", dollars(balance)]) {
          assert(words.includes(part));
        }
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
    });
  },
);

test("a failed refresh shows the error and greys out the old figures", {
  expectedErrors: [/status of (502|401)/, /ERR_FAILED/],
}, async (page, context) => {
  await using fixture = await serveBankSite();
  await fixture.open(page, COMMERCIAL, FINANCE);
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
  assertMatch(await page.getByRole("region", { name: "Connected entity" }).innerText(), /Not con/);

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

test(
  "without the bank, the last good figures are greyed out, with their age and the error",
  {},
  async (page) => {
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
  },
);

test(
  "a missing token and a token of another entity are shown as such",
  {},
  async (page) => {
    await using bankSite = await serveBankSite({ COMMERCIAL_BANK_API_TOKEN: "" });
    await bankSite.open(page, COMMERCIAL, FINANCE);
    const setup = await page.getByRole("region", { name: "Connect the bank" }).innerText();
    assertMatch(setup, /Generate a provider API token/);
    assertMatch(setup, /COMMERCIAL_BANK_API_TOKEN/);
    assertEquals(await page.getByRole("button", { name: "Refresh" }).count(), 0);
    await bankSite.open(page, COMMERCIAL, "/console");
    assertEquals(await totalOf(page), "–");
    assertMatch(await text(page, ".treasury"), /Not connected[^]*No bank is connected yet\./);

    const { bank } = bankSite;
    const tokens = {
      FOUNDATION_BANK_API_TOKEN: bank.tokens.commercial,
      COMMERCIAL_BANK_API_TOKEN: "secret-token:unknown",
    };
    await using fixture = await serveBankSite(tokens, { bank });
    await fixture.open(page, COMMERCIAL, FINANCE);
    assertMatch(await text(page, "[role=alert]"), /rejected the API token[^]*COMMERCIAL_BANK/);
    assertEquals(await text(page, ".synced"), "Last synced: never");
    await fixture.open(page, FOUNDATION, "/console");
    assertMatch(await text(page, ".treasury"), /Attest Systems Inc\s+\(proof of connection\)/);
  },
);

test("after the split, the foundation shows only its own account", {}, async (page) => {
  await using fixture = await serveBankSite({ FOUNDATION_ACCOUNT_ID });
  await fixture.open(page, FOUNDATION, FINANCE);
  const banner = page.getByRole("region", { name: "Connected entity" });
  assertMatch(await banner.innerText(), /^Treasury\s+Open Records Foundation Ltd/);
  assert(!(await text(page, "main")).includes("proof of connection"));
  assertEquals(await page.locator(".account").count(), 1);
  assertMatch(await text(page, ".account"), /^Foundation Treasury\s+Active/);
  await fixture.open(page, FOUNDATION, "/console");
  assert(!(await text(page, "main")).includes("proof of connection"));
});

test("a split account that the bank does not share is pending", {}, async (page) => {
  await using fixture = await serveBankSite({
    FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
    FOUNDATION_ACCOUNT_NICKNAME: "Foundation Treasury",
    FOUNDATION_ACCOUNT_LAST4: "4821",
  });
  await fixture.open(page, FOUNDATION, FINANCE);
  assertMatch(
    await text(page, ".account"),
    /^Foundation Treasury\s+Pending API access\s+••\s*ending in\s*4821\s+–$/,
  );
  const note = /registered but not yet accessible via API\. Its balance appears when/;
  assertMatch(await text(page, "main"), note);
  await fixture.open(page, FOUNDATION, "/console", BOARD);
  assertMatch(await text(page, ".treasury"), note);
  assertEquals(await totalOf(page), "–");
});
