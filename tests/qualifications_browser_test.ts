import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

const { catalogue } = site.services;
const url = (path: string) => site.services.surfaces.url("site", path)!;
const parts = (page: Page) => ({
  query: page.getByRole("searchbox"),
  count: page.getByRole("status"),
  rows: page.locator(".results li"),
  results: page.getByRole("region", { name: "Results" }),
});
const search = (page: Page) => new URL(page.url()).search;

/** Waits until the page shows the number of results and no search is running. */
async function waitForResults(
  page: Page,
  query: Parameters<typeof catalogue.search>[0],
): Promise<number> {
  const { total } = catalogue.search(query);
  await page.getByRole("status").filter({ hasText: new RegExp(`^${total} of `) }).waitFor();
  await page.locator("#results[aria-busy=false]").waitFor();
  return total;
}

/** Opens the home page and waits for hydration, which shows the Colours menu. */
async function openHome(page: Page, path = "/"): Promise<void> {
  await page.goto(url(path));
  await page.locator(".theme-toggle:not([hidden])").waitFor();
}

test(
  "typing updates the results and the URL without new history entries",
  {},
  async (page) => {
    const before = url("/healthz");
    await page.goto(before);
    let loads = 0;
    page.on("load", () => loads++);
    await openHome(page);
    const { query, rows } = parts(page);
    await query.pressSequentially("carpentry");
    const total = await waitForResults(page, { query: "carpentry" });
    assertEquals(await rows.count(), total);
    await becomes(() => search(page), "?q=carpentry");
    assertEquals(await query.inputValue(), "carpentry");
    await page.reload();
    assertEquals(await query.inputValue(), "carpentry");
    assertEquals(await rows.count(), total);
    assertEquals(loads, 2, "only opening and reloading loaded a page");
    await page.goBack();
    assertEquals(page.url(), before);
  },
);

test("filters and rows work by keyboard alone", {}, async (page) => {
  await openHome(page);
  const { query, rows } = parts(page);
  await query.focus();
  await page.keyboard.type("care");
  await page.keyboard.press("Tab"); // Search
  await page.keyboard.press("Tab"); // level
  assertEquals(await page.evaluate(() => document.activeElement?.id), "filter-level");
  await page.keyboard.type("3");
  await waitForResults(page, { query: "care", aqf_level: 3 });
  await page.keyboard.press("Tab"); // training package
  const chosen = () => page.getByLabel("Training package", { exact: true }).inputValue();
  for (let presses = 0; presses < 100 && await chosen() !== "CHC"; presses++) {
    await page.keyboard.press("ArrowDown");
  }
  await waitForResults(page, { query: "care", aqf_level: 3, training_package: "CHC" });
  await page.keyboard.press("Tab"); // status
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const filters = {
    query: "care",
    aqf_level: 3,
    training_package: "CHC",
    status: "superseded",
  } as const;
  const total = await waitForResults(page, filters);
  assertEquals(await rows.count(), total);
  await becomes(() => search(page), "?q=care&level=3&package=CHC&status=superseded");
  await page.keyboard.press("Tab"); // Clear
  await page.keyboard.press("Tab"); // Sign in …
  await page.keyboard.press("Tab"); // the first row
  const { code } = catalogue.search(filters).qualifications[0];
  await page.keyboard.press("Enter");
  await page.waitForURL(url(`/qualifications/${code}`));
  await page.goBack();
  assertEquals(await query.inputValue(), "care");
  assert(await page.getByLabel("Superseded").isChecked());
  assertEquals(await rows.count(), total);
});

test("searches that are replaced, fail or find nothing, and a click on a result", {
  expectedErrors: [/ERR_FAILED|500/],
}, async (page, _context, t) => {
  await openHome(page);
  const { query, rows, results } = parts(page);
  let total = 0;

  await t.step("a new search aborts the previous one, whose results are never shown", async () => {
    const release = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    await page.route(/\/api\/qualifications\?q=carp$/, async (route) => {
      requested.resolve();
      await release.promise;
      await route.continue().catch(() => {}); // it may be aborted
    });
    const aborted = page.waitForEvent("requestfailed", (request) => /q=carp$/.test(request.url()));
    const before = await rows.first().textContent();
    await query.fill("carp");
    await requested.promise;
    assertEquals(await results.getAttribute("aria-busy"), "true");
    assertEquals(await rows.first().textContent(), before, "the old results stay");
    assertEquals(await page.getByRole("alert").count(), 0);
    await query.fill("nursing");
    await aborted;
    total = await waitForResults(page, { query: "nursing" });
    release.resolve();
    await page.unrouteAll({ behavior: "wait" });
    assertEquals(await rows.count(), total);
    await becomes(() => search(page), "?q=nursing");
  });

  await t.step("a failed search keeps the results, shows an error and can be retried", async () => {
    const alert = page.getByRole("alert");
    await page.route("**/api/qualifications**", (route) => route.abort());
    await query.fill("carpentry");
    await alert.waitFor();
    assertEquals(await rows.count(), total);
    await page.unrouteAll();
    await page.route("**/api/qualifications**", (route) => route.fulfill({ status: 500 }));
    const failed = page.waitForResponse(/api\/qualifications/);
    await alert.getByRole("button").click();
    assertEquals((await failed).status(), 500);
    await alert.waitFor();
    await page.unrouteAll();
    await alert.getByRole("button").click();
    total = await waitForResults(page, { query: "carpentry" });
    assertEquals(await rows.count(), total);
    assertEquals(await alert.count(), 0);
    assert(
      await query.evaluate((input) => input === document.activeElement),
      "the focus is not lost",
    );
  });

  await t.step("a search without results links to all qualifications", async () => {
    await page.getByLabel("Superseded").check();
    await query.fill("plumbing xylophone");
    await page.getByText("No results for “plumbing xylophone”").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL(url("/"));
    assertEquals(await query.inputValue(), "");
  });

  await t.step("a click anywhere on a row opens its qualification", async () => {
    await openHome(page, "/?q=BSB50420");
    await rows.first().locator(".pill").click({ force: true });
    await page.waitForURL(url("/qualifications/BSB50420"));
  });
});

test(
  "text typed before the script loads is searched for once it has loaded",
  {},
  async (page) => {
    const script = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(url("/"), { waitUntil: "commit" });
    await parts(page).query.fill("carpentry");
    script.resolve();
    await waitForResults(page, { query: "carpentry" });
    assertEquals(await parts(page).query.inputValue(), "carpentry");
  },
);

test("without JavaScript the form, the filters and the pages work", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await page.goto(url("/"));
  const { query, rows, count, results } = parts(page);
  assertEquals(await results.getAttribute("aria-busy"), "false");
  await query.fill("certificate");
  await page.getByLabel("AQF level").selectOption("3");
  await page.getByLabel("Current", { exact: true }).check();
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=certificate/);
  const { total } = catalogue.search({ query: "certificate", aqf_level: 3, status: "current" });
  assertEquals(await count.textContent(), `${total} of ${catalogue.size} qualifications, 1 to 20`);
  assert(await page.getByLabel("Current", { exact: true }).isChecked());
  await page.getByRole("link", { name: "Next →" }).click();
  await page.waitForURL(/page=2/);
  assertEquals(
    await count.textContent(),
    `${total} of ${catalogue.size} qualifications, 21 to 40`,
  );
  assertEquals(await query.inputValue(), "certificate");
  await rows.first().getByRole("link").click();
  await page.waitForURL(/\/qualifications\//);
  assertEquals(
    await page.getByRole("link", { name: /^Sign up/ }).getAttribute("href"),
    "/auth",
  );
});

test("without JavaScript, “My record →” works on a phone, even inside the menu", {
  context: { javaScriptEnabled: false, viewport: { width: 375, height: 740 } },
}, async (page) => {
  for (const name of ["foundation", "commercial", "investor", "trust"] as const) {
    await page.goto(site.services.surfaces.url(name, "/")!);
    const menu = page.getByText("Menu", { exact: true });
    if (await menu.count() > 0) await menu.click();
    const link = page.getByRole("banner").getByRole("link", { name: "My record →" });
    const record = site.services.surfaces.url("trust", "/my-record");
    assertEquals(await link.evaluate((link) => (link as HTMLAnchorElement).href), record);
    await link.click({ trial: name !== "trust" }); // the page that it opens is loaded only once
  }
  await page.waitForURL(/\/my-record$/);
  assert(await page.getByRole("heading", { name: "Open your record" }).isVisible());
});

test(
  "results are saved and compared without loading the search again",
  {},
  async (page, context) => {
    const { auth } = site.services;
    const { token } = await auth.issueLink({ email: "visitor@example.org", surface: "site" });
    const { sessionId } = (await auth.verify(token, "site"))!;
    await context.addCookies([{ name: "app_session", value: sessionId, url: url("/") }]);
    await openHome(page);
    let loads = 0;
    page.on("load", () => loads++);
    const save = (code: string) => page.getByRole("button", { name: `Save ${code}`, exact: true });
    const [first] = catalogue.all;
    await save(first.code).click();
    await page.getByRole("button", { name: `Saved: ${first.code}` }).waitFor();
    await parts(page).query.fill("carpentry");
    await waitForResults(page, { query: "carpentry" });
    await page.getByRole("button", { name: "Save this search" }).click();
    await page.getByRole("link", { name: "This search is in your account" }).waitFor();
    assertEquals(loads, 0);
    for (const row of [0, 1]) await page.locator(".result-pick").nth(row).click();
    await page.getByRole("button", { name: "Compare selected" }).click();
    await page.waitForURL(/\/compare\?a=\w+&b=\w+$/);

    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(url("/account"));
    await page.getByRole("link", { name: "“carpentry”" }).waitFor();
    assertEquals(await sidewaysScroll(page), 0);
    assertEquals(await axeViolationsInBothSchemes(page), []);
    await page.getByRole("button", { name: `Remove ${first.code}` }).click();
    await page.getByText("Save a qualification to find it here").waitFor();
    await context.clearCookies();
  },
);

const PAGES = [
  ["site", "/"],
  ["site", "/?q=care&level=3&page=2"],
  ["site", "/?q=xylophone&level=3"],
  ["site", "/qualifications/BSB50420"],
  ["site", "/qualifications/CHC50121"],
  ["site", "/compare?a=TAE40110&b=TAE40122"],
] as const;
/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

test("every page passes axe-core and fits the screen", {
  context: { colorScheme: "dark" },
}, async (page) => {
  for (const [surface, path] of PAGES) {
    const name = `${surface} ${path}`;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(site.services.surfaces.url(surface, path)!);
    assertEquals(await sidewaysScroll(page), 0, name);
    assertEquals(await axeViolationsInBothSchemes(page), [], name);
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 800 });
      assertEquals(await sidewaysScroll(page), 0, `${name} at ${width} px`);
    }
    const options = path === "/" ? {} : { runOnly: LAYOUT_RULES };
    assertEquals(await axeViolations(page, options), [], `${name} at 375 px`);
  }
});
