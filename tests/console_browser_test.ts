import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { valueFormatter } from "../lib/chart/mod.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { transactionsUntil } from "../sandbox/bank_transactions.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";
import { axeViolations, becomes, sidewaysScroll, testBrowser } from "./browser.ts";
import { serve } from "./site.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const browser = testBrowser();
const dollars = valueFormatter({ currency: "USD" });

const stops: (() => Promise<void>)[] = [];
Deno.test.afterAll(async () => {
  await browser.close();
  for (const stop of stops.reverse()) await stop();
});

/** A site beside a bank, served from now on: its port is taken before anybody else takes it. */
async function servedBankSite(...[env, shared, overrides]: Parameters<typeof createBankSite>) {
  let handler: Parameters<typeof serve>[0] = () => new Response(null, { status: 503 });
  const server = serve((req, info) => handler(req, info));
  const of = await createBankSite({ PORT: String(server.port), ...env }, shared, overrides);
  handler = of.site.handler;
  stops.push(async () => {
    await server[Symbol.asyncDispose]();
    await of[Symbol.asyncDispose]();
  });
  return of;
}

const world = await servedBankSite();
const { bank, time } = world;
const split = await servedBankSite({ FOUNDATION_ACCOUNT_ID: bank.foundationAccountId }, {
  bank,
  time,
});
/** The foundation's own account is not given out yet; the commercial token is none of the bank's. */
const pending = await servedBankSite({
  FOUNDATION_ACCOUNT_ID: "11111111-1111-4111-8111-111111111111",
  FOUNDATION_ACCOUNT_NICKNAME: "Foundation Treasury",
  FOUNDATION_ACCOUNT_LAST4: "4821",
  COMMERCIAL_BANK_API_TOKEN: "secret-token:somebody_elses",
}, { bank, time });
/** The foundation has the other organisation's token, and the commercial console none. */
const swapped = await servedBankSite({
  FOUNDATION_BANK_API_TOKEN: bank.tokens.commercial,
  COMMERCIAL_BANK_API_TOKEN: "",
}, { bank, time });

/** The entity and an account have names without a space in them, and lengths that nobody expects. */
const lengthy = await servedBankSite({}, { bank, time }, {
  async fetch(...request) {
    const text = await (await fetch(...request)).text();
    return new Response(text.replaceAll(/Attest Systems Inc|Operating/g, "Unbroken".repeat(30)));
  },
});

type Console = Extract<SurfaceName, `${string}-console`>;

/** Opens a page of a console as somebody who is signed in there. */
async function open(
  page: Page,
  of: BankSite,
  surface: Console,
  path: string,
  email = ADMIN,
): Promise<number> {
  const url = of.site.services.surfaces.url(surface, path)!;
  const [name, value] = (await of.signIn(email, surface)).split("=");
  await page.context().addCookies([{ name, value, url: new URL(url).origin, httpOnly: true }]);
  return (await page.goto(url))!.status();
}

/** The bank goes wrong while `fn` runs. */
async function faulty(
  fault: Parameters<typeof bank.set>[0],
  fn: () => Promise<void>,
): Promise<void> {
  bank.set(fault);
  try {
    await fn();
  } finally {
    bank.set(null);
  }
}

const text = (page: Page, selector: string) => page.locator(selector).innerText();
const sidebar = (page: Page) => page.getByRole("navigation", { name: "Console" });
const totalOf = (page: Page) => page.locator(".total .figure").first().innerText();

async function commercialAccount(nickname: string): Promise<string> {
  const { accounts } = await world.site.services.treasuries.commercial.accounts();
  return accounts.find((account) => account.nickname === nickname)!.id;
}

browser.test("every state is accessible and fits, dark and light, wide and narrow", {
  expectedErrors: [/status of (400|502)/],
}, async (page) => {
  const account = `/console/finance/${await commercialAccount("Operating")}`;
  const check = async (name: string) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours that are still changing are neither the old nor the new ones.
      await page.evaluate(() =>
        Promise.allSettled(document.getAnimations().map((change) => change.finished))
      );
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 });
        const about = `${name}, ${colorScheme}, ${width}`;
        // Once the chart has followed the window, nothing reaches out of it.
        await becomes(() => sidewaysScroll(page), 0);
        assertEquals(await axeViolations(page), [], about);
      }
    }
  };
  const pages: [string, BankSite, Console, string, string?][] = [
    ["the dashboard of L1", world, "foundation-console", "/console"],
    ["the dashboard of L2", world, "commercial-console", "/console", BOARD],
    ["the foundation's finance page", world, "foundation-console", "/console/finance"],
    ["the commercial finance page", world, "commercial-console", "/console/finance"],
    ["an account", world, "commercial-console", account],
    ["an account with bad filters", world, "commercial-console", `${account}?start=x&limit=0`],
    ["an account on an empty page", world, "commercial-console", `${account}?offset=90000`],
    ["the split", split, "foundation-console", "/console/finance"],
    ["pending API access", pending, "foundation-console", "/console/finance"],
    ["a pending dashboard", pending, "foundation-console", "/console"],
    ["no token", swapped, "commercial-console", "/console/finance"],
    ["a wrong token", pending, "commercial-console", "/console/finance"],
    ["a long name's dashboard", lengthy, "commercial-console", "/console"],
    ["a long name's finance page", lengthy, "commercial-console", "/console/finance"],
    ["a long name's account", lengthy, "commercial-console", account],
  ];
  for (const [name, of, surface, path, email] of pages) {
    await open(page, of, surface, path, email);
    await check(name);
  }
  time.now += 20 * MINUTE;
  await faulty({ response: 500 }, async () => {
    for (const path of ["/console", "/console/finance", account]) {
      await open(page, world, "commercial-console", path);
      await check(`a failing bank at ${path}`);
    }
  });
});

browser.test("a board member sees the card and nothing more of the treasury", {}, async (page) => {
  await open(page, world, "foundation-console", "/console", BOARD);
  const card = page.getByRole("region", { name: "Treasury" });
  const words = await card.innerText();
  const summary = await world.site.services.treasuries.foundation.summary();
  assertMatch(words, /^Treasury\s+Live\s+Total balance/);
  assertEquals(await totalOf(page), dollars(summary.total_balance));
  assertMatch(await totalOf(page), /^\$\d{1,3}(,\d{3})+\.\d\d$/);
  assertMatch(words, /Active accounts\s+6/);
  assertMatch(words, /Open Records Foundation Ltd\s+\(proof of connection\)/);
  assertMatch(words, /Updated (just now|\d+ minutes? ago)/);
  assertEquals(await card.getByRole("link").count(), 0);
  assertEquals(await sidebar(page).getByRole("link").allInnerTexts(), ["Dashboard", "Surfaces"]);
  assertMatch(await text(page, ".console-operator"), /board@example\.org\s+Board member \(L2\)/);

  await open(page, world, "commercial-console", "/console", BOARD);
  const commercial = await card.innerText();
  assertMatch(commercial, /Last activity\s+(just now|\d+ (minute|hour|day)s? ago)/);
  assertMatch(commercial, /Active accounts\s+6/);
  assert(!commercial.includes("proof of connection"));
});

browser.test(
  "an administrator goes from the dashboard to the details by keyboard",
  {},
  async (page) => {
    await open(page, world, "foundation-console", "/console");
    assertEquals(await sidebar(page).getByRole("link").allInnerTexts(), [
      "Dashboard",
      "Finance",
      "Surfaces",
    ]);
    const current = sidebar(page).locator("[aria-current=page]");
    assertEquals(await current.innerText(), "Dashboard");
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate(() => document.activeElement!.textContent), "Skip to content");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Tab"); // the name, then two entries
    await page.keyboard.press("Enter");
    await page.waitForURL("**/console/finance");
    assertEquals(await current.innerText(), "Finance");
    const banner = await page.getByRole("region", { name: "Connected entity" }).innerText();
    assertMatch(banner, /Connected to: Open Records Foundation Ltd \(proof of connection\)/);
    assertMatch(banner, /rekeyed when the foundation's own account opens/);
    assertEquals(await page.getByRole("table").count(), 0);
    assertEquals(await page.locator("main a").count(), 0); // the foundation's cards lead nowhere
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.getByRole("link", { name: "View Details" }).click();
    await page.waitForURL("**/console/finance");
  },
);

browser.test("on a low window, too, the whole sidebar can be reached", {
  context: { viewport: { width: 1000, height: 280 } },
}, async (page) => {
  await open(page, world, "commercial-console", "/console");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const { y, height } = (await page.getByRole("button", { name: "Sign out" }).boundingBox())!;
  assert(y >= 0 && y + height <= 280, `${y}, ${height}`);
});

browser.test(
  "signing out leads to the sign-in page, and the console is closed",
  {},
  async (page) => {
    await open(page, split, "commercial-console", "/console", BOARD);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.waitForURL("**/auth?next=/console");
    await page.goto(split.site.services.surfaces.url("commercial-console", "/console")!);
    assertMatch(page.url(), /\/auth\?next=\/console$/);
  },
);

browser.test(
  "each account has a card with its figures; restricted ones are listed, not counted",
  {},
  async (page) => {
    await open(page, world, "commercial-console", "/console/finance");
    const answer = await world.site.services.treasuries.commercial.accounts();
    const cards = page.getByRole("region", { name: "Accounts", exact: true }).getByRole("listitem");
    const active = answer.accounts.filter(({ status }) => status === "active");
    assertEquals(await cards.count(), 6);
    for (const [i, { nickname, balance, last4 }] of active.entries()) {
      const words = await cards.nth(i).innerText();
      for (const part of [nickname, last4, "Active", dollars(balance)]) {
        assert(words.includes(part));
      }
      const figure = cards.nth(i).locator(".figure");
      const look = await figure.evaluate((element) => {
        const { textAlign, fontFamily } = getComputedStyle(element);
        return { textAlign, fontFamily };
      });
      assertEquals(look.textAlign, "right");
      assertMatch(look.fontFamily, /monospace$/);
    }
    const restricted = page.getByRole("region", { name: "Restricted" }).getByRole("listitem");
    assertMatch(await restricted.innerText(), /^Reserve\s+Restricted/);
    assertEquals(await totalOf(page), dollars(answer.total_balance));
    const banner = await page.getByRole("region", { name: "Connected entity" }).innerText();
    assertMatch(banner, /^Attest Systems Inc\s+Commercial Treasury/);
  },
);

browser.test(
  "refresh shows its progress and the new figures, without a reload",
  {},
  async (page) => {
    await open(page, world, "commercial-console", "/console/finance");
    const before = await totalOf(page);
    const cards = await page.locator(".accounts").first().innerText();
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
    time.now += 3 * DAY;
    const button = page.getByRole("button", { name: "Refresh" });
    const status = page.locator(".refresh [role=status]");
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/bank/refresh", async (route) => {
      await answered.promise;
      await route.continue();
    });
    await button.press("Enter");
    await page.locator(".refresh button[aria-busy=true]").waitFor();
    assertEquals(await status.innerText(), "Fetching from the bank.");
    assertEquals(await totalOf(page), before);
    answered.resolve();
    await status.getByText("Refreshed.").waitFor();
    assertEquals(await button.getAttribute("aria-busy"), "false");
    assert(
      await button.evaluate((element) => document.activeElement === element),
      "keeps the focus",
    );
    assertEquals(await text(page, ".synced"), "Last synced: just now");
    const answer = await world.site.services.treasuries.commercial.accounts();
    assertEquals(await totalOf(page), dollars(answer.total_balance));
    assertNotEquals(await totalOf(page), before);
    assertNotEquals(await page.locator(".accounts").first().innerText(), cards);
    assert(await page.evaluate(() => "stayed" in globalThis), "no reload");
  },
);

browser.test("a refresh that fails is told, and the old figures stay, greyed", {
  expectedErrors: [/status of (502|401)/, /ERR_FAILED/],
}, async (page, context) => {
  await open(page, world, "commercial-console", "/console/finance");
  const before = await totalOf(page);
  const button = page.getByRole("button", { name: "Refresh" });
  const alert = page.getByRole("alert");
  await faulty({ response: 429 }, async () => {
    await button.click();
    await alert.getByText("The bank is limiting requests.").waitFor();
  });
  assertEquals(await totalOf(page), before);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    assert(title!.height < 50, `the heading keeps its line at ${width}`);
    assertEquals(await axeViolations(page), []);
  }
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

browser.test("'Updated X minutes ago' stays true while the page is open", {}, async (page) => {
  await page.clock.install({ time: 0 }); // a browser whose own clock is decades behind
  await world.site.services.treasuries.foundation.refresh();
  await open(page, world, "foundation-console", "/console");
  const updated = page.locator(".treasury-foot span");
  assertEquals(await updated.innerText(), "Updated just now");
  await page.clock.runFor(70_000);
  assertEquals(await updated.innerText(), "Updated 1 minute ago");
  await page.clock.runFor(9 * MINUTE);
  assertEquals(await updated.innerText(), "Updated 10 minutes ago");
  time.now += 11 * MINUTE;
  await page.reload();
  assertEquals(await updated.innerText(), "Updated 11 minutes ago");
  await open(page, world, "foundation-console", "/console/finance");
  assertEquals(await text(page, ".synced"), "Last synced: 11 minutes ago");
  await page.clock.runFor(50 * MINUTE);
  assertEquals(await text(page, ".synced"), "Last synced: 1 hour ago");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Refreshed.").waitFor();
  assertEquals(await text(page, ".synced"), "Last synced: just now");
  await page.clock.runFor(70_000);
  assertEquals(await text(page, ".synced"), "Last synced: 1 minute ago");
});

browser.test(
  "without a bank the last good figures stand greyed, with their age and the reason",
  {},
  async (page) => {
    await world.site.services.treasuries.foundation.refresh();
    const summary = await world.site.services.treasuries.foundation.summary();
    time.now += 3 * 60 * MINUTE;
    await faulty({ response: 500 }, async () => {
      await open(page, world, "foundation-console", "/console", BOARD);
      const card = page.getByRole("region", { name: "Treasury" });
      assertEquals(await totalOf(page), "–");
      const words = await card.innerText();
      assertMatch(words, /Not connected/);
      assertMatch(words, /The bank returned an error\./);
      const stale = await card.locator(".stale").innerText();
      assertEquals(
        stale,
        `Last known: ${dollars(summary.total_balance)} in 6 active accounts, 3 hours ago`,
      );

      await open(page, world, "foundation-console", "/console/finance");
      assertEquals(await text(page, ".synced"), "Last synced: 3 hours ago");
      assertEquals(await text(page, ".stale .figure"), dollars(summary.total_balance));
      assertMatch(await page.getByRole("alert").innerText(), /returned an error/);
    });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("region", { name: "Accounts", exact: true }).waitFor();
    assertEquals(await page.locator(".stale").count(), 0);
  },
);

browser.test(
  "a token that is swapped, wrong or swapped shows itself as what it is",
  {},
  async (page) => {
    await open(page, swapped, "commercial-console", "/console/finance");
    const setup = await page.getByRole("region", { name: "Connect the bank" }).innerText();
    assertMatch(setup, /Generate a provider API token/);
    assertMatch(setup, /COMMERCIAL_BANK_API_TOKEN/);
    assertEquals(await page.getByRole("button", { name: "Refresh" }).count(), 0);
    await open(page, swapped, "commercial-console", "/console");
    assertEquals(await totalOf(page), "–");
    assertMatch(await text(page, ".treasury"), /Not connected[^]*No bank is connected yet\./);

    await open(page, pending, "commercial-console", "/console/finance");
    assertMatch(
      await page.getByRole("alert").innerText(),
      /rejected the API token[^]*COMMERCIAL_BANK/,
    );
    assertEquals(await text(page, ".synced"), "Last synced: never");

    await open(page, swapped, "foundation-console", "/console");
    assertMatch(await text(page, ".treasury"), /Attest Systems Inc\s+\(proof of connection\)/);
  },
);

browser.test(
  "after its split the foundation shows its own account alone, or that it is pending",
  {},
  async (page) => {
    await open(page, split, "foundation-console", "/console/finance");
    const banner = page.getByRole("region", { name: "Connected entity" });
    assertMatch(await banner.innerText(), /^Treasury\s+Open Records Foundation Ltd/);
    assert(!(await text(page, "main")).includes("proof of connection"));
    assertEquals(await page.locator(".account").count(), 1);
    assertMatch(await text(page, ".account"), /^Foundation Treasury\s+Active/);
    await open(page, split, "foundation-console", "/console");
    assert(!(await text(page, "main")).includes("proof of connection"));

    await open(page, pending, "foundation-console", "/console/finance");
    assertMatch(
      await text(page, ".account"),
      /^Foundation Treasury\s+Pending API access\s+••\s*ending in\s*4821\s+–$/,
    );
    const note = /registered but not yet accessible via API\. Its balance appears when/;
    assertMatch(await text(page, "main"), note);
    await open(page, pending, "foundation-console", "/console", BOARD);
    assertMatch(await text(page, ".treasury"), note);
    assertEquals(await totalOf(page), "–");
  },
);

/** What the provider's records sum up to on each day, in whole cents, straight from the sandbox. */
function flowOf(accountId: string): Map<string, { in: number; out: number }> {
  const days = new Map<string, { in: number; out: number }>();
  for (const { createdAt, amount, status } of transactionsUntil(accountId, time.now)) {
    const day = createdAt.slice(0, 10);
    const sums = days.get(day) ?? { in: 0, out: 0 };
    days.set(day, sums);
    if (status === "sent") sums[amount > 0 ? "in" : "out"] += Math.round(amount * 100);
  }
  return days;
}

browser.test("a day's flow is read off the chart by keyboard, as the bank's records sum up", {
  context: { viewport: { width: 1280, height: 900 } },
}, async (page) => {
  await open(page, world, "commercial-console", "/console/finance");
  await page.getByRole("link", { name: "Operating" }).press("Enter");
  await page.getByRole("heading", { name: "Operating", level: 1 }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  const flow = flowOf(id);
  const expected = (day: string) => {
    const { in: into, out } = flow.get(day) ?? { in: 0, out: 0 };
    return [into / 100, out / 100, (into + out) / 100].map(dollars);
  };
  const dayText = (day: string) =>
    new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" })
      .format(Date.parse(day));
  const today = new Date(time.now).toISOString().slice(0, 10);
  const chart = page.getByRole("figure", { name: "Daily flow" });
  await chart.locator(".u-over").waitFor();
  await chart.getByRole("radio", { name: "30D" }).focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight"); // to All
  const rows = chart.locator("tbody tr");
  await rows.nth(364).waitFor();
  assertEquals(await rows.count(), 365);
  const seen = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent!))
  );
  for (const [i, row] of seen.entries()) {
    const day = new Date(Date.parse(today) - (364 - i) * DAY).toISOString().slice(0, 10);
    assertEquals(row, [dayText(day), ...expected(day)]);
  }
  await chart.locator(".chart-plot").focus();
  for (const [key, back] of [["End", 0], ["ArrowLeft", 1], ["ArrowLeft", 2]] as const) {
    await page.keyboard.press(key);
    const day = new Date(Date.parse(today) - back * DAY).toISOString().slice(0, 10);
    await becomes(() => chart.locator(".chart-tooltip-title").innerText(), dayText(day));
    await becomes(() => chart.locator(".chart-tooltip-value").allInnerTexts(), expected(day));
  }
});

browser.test(
  "transactions are filtered and turned over by keyboard; what is wrong stays and is told",
  {
    expectedErrors: [/status of 400/],
  },
  async (page) => {
    const id = await commercialAccount("Payroll");
    const path = `/console/finance/${id}`;
    await open(page, world, "commercial-console", path);
    const all = transactionsUntil(id, time.now).reverse();
    const rows = page.getByRole("table", { name: / to / }).locator("tbody tr");
    assertEquals(await rows.count(), 50);
    assertEquals(
      await rows.first().locator("time").getAttribute("datetime"),
      iso(all[0].createdAt),
    );
    assert((await rows.first().innerText()).includes(all[0].counterpartyName));
    await page.getByRole("link", { name: "Older →" }).press("Enter");
    await page.waitForURL("**offset=50**");
    assertEquals(
      await rows.first().locator("time").getAttribute("datetime"),
      iso(all[50].createdAt),
    );
    await page.getByRole("link", { name: "← Newer" }).press("Enter");
    await page.waitForURL((url) => !url.search.includes("offset"));

    const form = page.getByRole("form", { name: "Transactions" });
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

    assertEquals(
      await open(page, world, "commercial-console", `${path}?start=soon&end=2026-02-10&limit=7000`),
      400,
    );
    for (const [label, value] of [["From", "soon"], ["To", "2026-02-10"], ["Page size", "7000"]]) {
      assertEquals(await form.getByLabel(label).inputValue(), value);
    }
    const described = await form.getByLabel("From").getAttribute("aria-describedby");
    assertMatch(await text(page, `#${described}`), /Give a date/);
  },
);

const iso = (time: string) => new Date(time).toISOString();

browser.test("the rows of a page are downloaded as CSV", {}, async (page) => {
  const id = await commercialAccount("Operating");
  await open(page, world, "commercial-console", `/console/finance/${id}?limit=25&offset=25`);
  const link = page.getByRole("link", { name: "Download these rows (CSV)" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  assertMatch(download.suggestedFilename(), /^transactions-operating-\d{4}\.csv$/);
  const csv = await Deno.readTextFile(await download.path());
  const lines = csv.trimEnd().split("\r\n");
  const expected = transactionsUntil(id, time.now).reverse().slice(25, 50);
  assertEquals(lines.length, 26);
  assertEquals(
    lines.slice(1).map((line) => line.split(",")[2]),
    expected.map(({ amount }) => amount.toFixed(2)),
  );
});

browser.test("where there is no CSV, the reason is shown, and nothing is saved", {
  expectedErrors: [/status of 502/],
}, async (page, context) => {
  const id = await commercialAccount("Operating");
  const saved: string[] = [];
  page.on("download", (download) => saved.push(download.suggestedFilename()));
  const link = page.getByRole("link", { name: "Download these rows (CSV)" });
  await open(page, world, "commercial-console", `/console/finance/${id}`);
  await faulty({ response: 429, operation: "transactions" }, async () => {
    await link.click();
    await page.getByText("The bank is limiting requests.").waitFor();
  });
  await page.goBack();
  await context.clearCookies();
  await link.click();
  await page.waitForURL("**/auth?next=**");
  assertEquals(saved, []);
});

browser.test("without scripts the pages stand, and refresh leads back with its result", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await open(page, world, "commercial-console", "/console");
  assertMatch(await totalOf(page), /^\$/);
  await page.getByRole("link", { name: "View Details" }).click();
  time.now += DAY;
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.waitForURL("**/console/finance?refreshed=1");
  assertEquals(await text(page, ".refresh [role=status]"), "Refreshed.");
  assertEquals(await text(page, ".synced"), "Last synced: just now");
  await faulty({ response: 429 }, async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.waitForURL("**/console/finance?refresh_error=rate_limited");
  });
  assertMatch(await page.locator(".refresh [role=alert]").innerText(), /limiting requests/);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("link", { name: "Operating" }).click();
  await page.waitForURL("**/console/finance/*");
  assertEquals(await page.locator(".ledger tbody tr").count(), 50);
  const figures = page.getByRole("figure", { name: "Daily flow" }).locator("tbody tr");
  assertEquals(await figures.count(), 30);
  assert(await figures.first().isVisible(), "the chart's table");
  await page.getByLabel("Page size").selectOption("25");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**limit=25**");
  assertEquals(await page.locator(".ledger tbody tr").count(), 25);
});
