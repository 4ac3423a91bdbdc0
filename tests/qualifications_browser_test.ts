import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, becomes } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { assertAccessible } from "./page_checks.ts";
import { servedSite } from "./served_site.ts";
import { showMain } from "./show_main.ts";
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

/** Waits for hydration, which shows the Colours menu. */
const waitForScript = (page: Page) => page.locator("label.theme-toggle").waitFor();

async function openHome(page: Page): Promise<void> {
  await page.goto(url("/"));
  await waitForScript(page);
}

test("the search updates as one types or chooses, and shows what is replaced, fails or is empty", {
  expectedErrors: [/(ERR_FAILED|status of 500) .*\/api\/qualifications\?q=carpentry\)$/],
}, async (page, _context, t) => {
  await openHome(page);
  const { query, rows, results } = parts(page);
  let total = 0;
  let codes: string[] = [];

  await t.step("typing updates the results and the URL without new history entries", async () => {
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    let loads = 0;
    page.on("load", () => loads++);
    await query.pressSequentially("carpentry");
    total = await waitForResults(page, { query: "carpentry" });
    assertEquals(await rows.count(), total);
    await becomes(() => search(page), "?q=carpentry");
    assertEquals(await query.inputValue(), "carpentry");
    assertEquals([await entries(), loads], [before, 0]);
    await page.reload();
    assertEquals(await query.inputValue(), "carpentry");
    assertEquals(await rows.count(), total);
    await waitForScript(page);
  });

  await t.step("a new search aborts the previous one, whose results are never shown", async () => {
    const release = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    await page.route(/\/api\/qualifications\?q=carp$/, async (route) => {
      requested.resolve();
      await release.promise;
      await route.continue().catch(() => {}); // it may be aborted
    });
    const aborted = page.waitForEvent("requestfailed", (request) => /q=carp$/.test(request.url()));
    aborted.catch(() => {}); // a step that fails earlier closes the page
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

  await t.step("filters and rows work by keyboard alone", async () => {
    await waitForScript(page);
    await query.focus();
    await page.keyboard.type("care");
    await page.keyboard.press("Tab"); // Search
    await page.keyboard.press("Tab"); // level
    assertEquals(await page.evaluate(() => document.activeElement?.id), "filter-level");
    await page.keyboard.type("3");
    await waitForResults(page, { query: "care", aqf_level: 3 });
    await page.keyboard.press("Tab"); // training package
    await page.keyboard.type("C"); // more letters would have to follow within a second
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
    total = await waitForResults(page, filters);
    assertEquals(await rows.count(), total);
    await becomes(() => search(page), "?q=care&level=3&package=CHC&status=superseded");
    await page.keyboard.press("Tab"); // Clear
    await page.keyboard.press("Tab"); // Sign in …
    await page.keyboard.press("Tab"); // the first row
    codes = catalogue.search(filters).qualifications.map(({ code }) => code);
    await page.keyboard.press("Enter");
    await page.waitForURL(url(`/qualifications/${codes[0]}`));
    await page.goBack();
    assertEquals(await query.inputValue(), "care");
    assert(await page.getByLabel("Superseded").isChecked());
    assertEquals(await rows.count(), total);
  });

  await t.step("a click anywhere on a row opens its qualification", async () => {
    await rows.nth(1).locator(".pill").click({ force: true });
    await page.waitForURL(/\/qualifications\/\w+$/);
    assertEquals(page.url(), url(`/qualifications/${codes[1]}`));
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

    await page.goto(url("/account"));
    await page.getByRole("link", { name: "“carpentry”" }).waitFor();
    await assertAccessible(page, "/account", { narrow: true });
    await assertMenuAtTopRight(page, "/account");
    await assertPrintsLight(page, "/account");
    await page.getByRole("button", { name: `Remove ${first.code}` }).click();
    await page.getByText("Save a qualification to find it here").waitFor();
    await context.clearCookies();
  },
);

/** The pages that have the frame and the styles of the home page. */
const OTHERS = [
  "/?q=care&level=3&page=2",
  "/?q=xylophone&level=3",
  "/qualifications/BSB50420",
  "/qualifications/CHC50121",
  "/compare?a=TAE40110&b=TAE40122",
];
test("every page passes axe-core and fits the screen", {
  context: { colorScheme: "dark" },
}, async (page) => {
  await page.goto(url("/"));
  await assertAccessible(page, "/", { folds: true });
  // Its frame is that of all pages.
  await page.setViewportSize({ width: 375, height: 800 });
  assertEquals(await axeViolations(page), [], "the narrow frame");
  await assertMenuAtTopRight(page, "/");
  await assertPrintsLight(page, "/");
  for (const path of OTHERS) {
    await showMain(page, await site.request("site", path));
    await assertAccessible(page, path, { folds: true });
  }
});
