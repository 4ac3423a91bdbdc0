import { assert, assertEquals, assertFalse } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";

const { site, browser } = await servedSite();

const { catalogue } = site.services;
const address = (path: string) => site.services.surfaces.url("site", path)!;
const parts = (page: Page) => ({
  query: page.getByRole("searchbox"),
  count: page.getByRole("status"),
  rows: page.locator(".results li"),
  results: page.getByRole("region", { name: "Results" }),
});
const search = (page: Page) => new URL(page.url()).search;

/** Waits until the page says how many were found, and no further search is under way. */
async function found(page: Page, query: Parameters<typeof catalogue.search>[0]): Promise<number> {
  const { total } = catalogue.search(query);
  await page.getByRole("status").filter({ hasText: new RegExp(`^${total} of `) }).waitFor();
  await page.locator("#results[aria-busy=false]").waitFor();
  return total;
}

/** Opens the home and waits for its islands, which are hydrated together: one shows itself then. */
async function openHome(page: Page, path = "/"): Promise<void> {
  await page.goto(address(path));
  await page.locator(".theme-toggle:not([hidden])").waitFor();
}

browser.test("results follow the typing, and so does the address", {}, async (page) => {
  let loads = 0;
  page.on("load", () => loads++);
  await openHome(page);
  const { query, rows, count } = parts(page);
  assertEquals(await count.getAttribute("role"), "status");
  await query.pressSequentially("carpentry");
  const total = await found(page, { query: "carpentry" });
  assertEquals(await rows.count(), total);
  await becomes(() => search(page), "?q=carpentry");
  assertEquals(await query.inputValue(), "carpentry");
  await page.reload();
  assertEquals(await query.inputValue(), "carpentry");
  assertEquals(await rows.count(), total);
  assertEquals(loads, 2, "only the opening and the reload loaded a page");
});

browser.test(
  "typing adds no entries to the history: Back leads out of the search",
  {},
  async (page) => {
    await page.goto(site.services.surfaces.url("trust", "/")!);
    await openHome(page);
    await parts(page).query.pressSequentially("care");
    await found(page, { query: "care" });
    await page.goBack();
    assertEquals(new URL(page.url()).host, new URL(site.services.surfaces.url("trust")!).host);
  },
);

browser.test("the filters and the rows work by keyboard alone", {}, async (page) => {
  await openHome(page);
  const { query, rows } = parts(page);
  await query.focus();
  await page.keyboard.type("care");
  await page.keyboard.press("Tab"); // Search
  await page.keyboard.press("Tab"); // level
  assertEquals(await page.evaluate(() => document.activeElement?.id), "filter-level");
  await page.keyboard.type("3");
  await found(page, { query: "care", aqf_level: 3 });
  await page.keyboard.press("Tab"); // training package
  const chosen = () => page.getByLabel("Training package", { exact: true }).inputValue();
  for (let presses = 0; presses < 100 && await chosen() !== "CHC"; presses++) {
    await page.keyboard.press("ArrowDown");
  }
  await found(page, { query: "care", aqf_level: 3, training_package: "CHC" });
  await page.keyboard.press("Tab"); // status
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const filters = {
    query: "care",
    aqf_level: 3,
    training_package: "CHC",
    status: "superseded",
  } as const;
  const total = await found(page, filters);
  assertEquals(await rows.count(), total);
  await becomes(() => search(page), "?q=care&level=3&package=CHC&status=superseded");
  await page.keyboard.press("Tab"); // Clear
  await page.keyboard.press("Tab"); // Sign in …
  await page.keyboard.press("Tab"); // the first row
  const { code } = catalogue.search(filters).qualifications[0];
  await page.keyboard.press("Enter");
  await page.waitForURL(address(`/qualifications/${code}`));
  await page.goBack();
  assertEquals(await query.inputValue(), "care");
  assert(await page.getByLabel("Superseded").isChecked());
  assertEquals(await rows.count(), total);
});

browser.test("a click anywhere on a row opens its qualification", {}, async (page) => {
  await openHome(page, "/?q=BSB50420");
  await parts(page).rows.first().locator(".pill").click({ force: true });
  await page.waitForURL(address("/qualifications/BSB50420"));
});

browser.test("a search that is overtaken is aborted and never shown", {}, async (page) => {
  await openHome(page);
  const { query, rows, results } = parts(page);
  const slow = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/api\/qualifications\?q=carp$/, async (route) => {
    asked.resolve();
    await slow.promise;
    await route.continue().catch(() => {}); // it may be gone
  });
  const aborted = page.waitForEvent("requestfailed", (request) => /q=carp$/.test(request.url()));
  const before = await rows.first().textContent();
  await query.fill("carp");
  await asked.promise;
  assertEquals(await results.getAttribute("aria-busy"), "true");
  assertEquals(await rows.first().textContent(), before, "the old results stay meanwhile");
  assertEquals(await page.getByRole("alert").count(), 0);
  await query.fill("nursing");
  await aborted;
  const total = await found(page, { query: "nursing" });
  slow.resolve();
  await page.unrouteAll({ behavior: "wait" });
  assertEquals(await rows.count(), total);
  await becomes(() => search(page), "?q=nursing");
});

browser.test("a search that fails keeps what was found, says so, and may be tried again", {
  expectedErrors: [/ERR_FAILED|500/],
}, async (page) => {
  await openHome(page);
  const { query, rows } = parts(page);
  const alert = page.getByRole("alert");
  await page.route("**/api/qualifications**", (route) => route.abort());
  await query.fill("carpentry");
  await alert.waitFor();
  assertEquals(await rows.count(), 20);
  await page.unrouteAll();
  await page.route("**/api/qualifications**", (route) => route.fulfill({ status: 500 }));
  const refused = page.waitForResponse(/api\/qualifications/);
  await alert.getByRole("button").click();
  assertEquals((await refused).status(), 500);
  await alert.waitFor();
  await page.unrouteAll();
  await alert.getByRole("button").click();
  const total = await found(page, { query: "carpentry" });
  assertEquals(await rows.count(), total);
  assertEquals(await alert.count(), 0);
  assert(await query.evaluate((input) => input === document.activeElement), "no lost focus");
});

browser.test(
  "what is typed before the script is there is searched for once it is",
  {},
  async (page) => {
    const script = Promise.withResolvers<void>();
    await page.route(/\.js$/, async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.goto(address("/"), { waitUntil: "commit" });
    await parts(page).query.fill("carpentry");
    script.resolve();
    await found(page, { query: "carpentry" });
    assertEquals(await parts(page).query.inputValue(), "carpentry");
  },
);

browser.test("where nothing is found there is a way on", {}, async (page) => {
  await openHome(page, "/?status=superseded");
  await parts(page).query.fill("plumbing xylophone");
  await page.getByText("Nothing for “plumbing xylophone”").waitFor();
  assertEquals(await axeViolations(page), []);
  await page.getByRole("link", { name: "Show all" }).click();
  await page.waitForURL(address("/"));
  assertEquals(await parts(page).query.inputValue(), "");
});

browser.test("without scripts the form, the filters and the pages work", {
  context: { javaScriptEnabled: false },
}, async (page) => {
  await page.goto(address("/"));
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

browser.test("“My record →” can be followed without scripts, behind the menu on a phone too", {
  context: { javaScriptEnabled: false, viewport: { width: 375, height: 740 } },
}, async (page) => {
  for (const name of ["foundation", "commercial", "investor", "trust"] as const) {
    await page.goto(site.services.surfaces.url(name, "/")!);
    const menu = page.getByText("Menu", { exact: true });
    if (await menu.count() > 0) await menu.click();
    await page.getByRole("link", { name: "My record →" }).click();
    await page.waitForURL(/\/my-record$/);
    assert(await page.getByText("Registered records are safe").isVisible());
    assertFalse(page.url().includes("#"));
  }
});

const PAGES = [
  ["site", "/"],
  ["site", "/?q=care&level=3&page=2"],
  ["site", "/?q=xylophone&level=3"],
  ["site", "/qualifications/BSB50420"],
  ["site", "/qualifications/CHC50121"],
  ["foundation", "/my-record"],
  ["investor", "/my-record"],
  ["trust", "/my-record"],
  ["trust", "/terms"],
  ["trust", "/privacy"],
] as const;

for (const colorScheme of ["dark", "light"] as const) {
  for (const width of [1280, 375, 320]) {
    browser.test(
      `at ${width} px in ${colorScheme} nothing breaks a rule of axe-core or scrolls sideways`,
      { context: { colorScheme, viewport: { width, height: 800 } } },
      async (page) => {
        for (const [surface, path] of PAGES) {
          await page.goto(site.services.surfaces.url(surface, path)!);
          assertEquals(await axeViolations(page), [], `${surface} ${path}`);
          const wider = await sidewaysScroll(page);
          assertEquals(wider, 0, `${surface} ${path} is wider than the screen`);
        }
      },
    );
  }
}
