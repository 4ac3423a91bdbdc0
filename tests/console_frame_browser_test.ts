import { assert, assertEquals, assertMatch } from "@std/assert";
import { serveBankSite } from "./bank_site.ts";
import { axeViolationsInBothSchemes, sidewaysScroll, testBrowser } from "./browser.ts";
import { withoutMotion } from "./still_pages.ts";

const browser = testBrowser();
Deno.test.afterAll(() => browser.close());
const test = withoutMotion(browser);

const CONSOLE = "commercial-console";

test("Ctrl-K finds an account by keyboard, and offers it again as a recent result", {
  expectedErrors: [/status of 500 .*\/console\/search\)$/],
}, async (page) => {
  await using fixture = await serveBankSite();
  await fixture.open(page, CONSOLE, "/console/users");
  const button = page.getByRole("button", { name: "Search" });
  await button.waitFor(); // until the script runs, it is a link
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const input = dialog.getByRole("combobox");
  const selected = dialog.getByRole("option", { selected: true });
  const isFocused = () => input.evaluate((element) => element === document.activeElement);
  await selected.getByText("Dashboard").waitFor();
  assert(await isFocused());
  await page.keyboard.press("ArrowUp");
  assertEquals(await selected.innerText(), "Audit log");

  const queries: string[] = [];
  const released = Promise.withResolvers<void>();
  await page.route("**/console/search", async (route) => {
    const { q } = route.request().postDataJSON();
    queries.push(q);
    if (q === "payroll") await released.promise;
    await (q === "fails" ? route.fulfill({ status: 500 }) : route.continue()).catch(() => {});
  });
  await Promise.all([page.waitForRequest("**/console/search"), input.fill("payroll")]);
  await input.fill("operating");
  await selected.getByText("Operating").waitFor();
  released.resolve(); // its response is aborted
  assertEquals(queries, ["payroll", "operating"]);
  assertMatch(await dialog.getByRole("status").innerText(), /^1 result$/);
  const group = dialog.getByRole("group", { name: "Accounts" });
  assertMatch(await group.getByRole("option").innerText(), /^Operating\s+••\d{4} · \$/);
  assertEquals(
    await input.getAttribute("aria-activedescendant"),
    await selected.getAttribute("id"),
  );
  assertEquals(await axeViolationsInBothSchemes(page), []);

  await input.fill("fails");
  await dialog.getByRole("alert").getByText("The search failed.").waitFor();
  await input.fill("operating");
  await selected.getByText("Operating").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/console/finance/*");

  await button.press(" ");
  const recent = dialog.getByRole("group", { name: "Recent" }).getByRole("option");
  await recent.waitFor();
  assertEquals(await recent.innerText(), "Operating"); // without the balance
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert(await button.evaluate((element) => element === document.activeElement));
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
  assert(!stored.includes("$"), stored);
});

test("on a phone without scripts, the menu opens and the search is a page", {
  context: { javaScriptEnabled: false, viewport: { width: 320, height: 640 } },
}, async (page) => {
  await using fixture = await serveBankSite();
  await fixture.open(page, CONSOLE, "/console/users");
  const navigation = page.getByRole("navigation", { name: "Console" });
  assert(!await navigation.isVisible());
  await page.locator(".console-menu summary").click();
  assertEquals(await sidewaysScroll(page), 0);
  assert(await page.getByRole("button", { name: "Sign out" }).isVisible());
  await navigation.getByRole("link", { name: "Audit log" }).click();
  await page.waitForURL("**/console/audit");
  assert(!await navigation.isVisible());
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByLabel("Search for").fill("operating");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Operating" }).click();
  await page.waitForURL("**/console/finance/*");
});
