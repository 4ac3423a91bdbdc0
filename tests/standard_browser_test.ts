import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, axeViolationsInBothSchemes, becomes, sidewaysScroll } from "./browser.ts";
import { VECTORS } from "../lib/standard/mod.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { surfaces, standard } = site.services;
const address = (path: string) => surfaces.url("foundation", path)!;
/** Pages with all elements that a page of the standard can have. */
const PATHS = ["/standard", "/standard/event-chain", "/standard?q=signature"];
/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

/**
 * Shows only the main element of a section in the page of another one, which has the same styles and
 * frame. It is faster than loading the section.
 */
async function showSection(page: Page, path: string): Promise<void> {
  const response = await site.request("foundation", path);
  assertEquals(response.status, 200, path);
  await page.evaluate((html) => {
    const { title, body } = new DOMParser().parseFromString(html, "text/html");
    document.title = title;
    document.body.replaceChildren(body.querySelector("main")!);
  }, await response.text());
}

test("no page has axe violations in either color scheme, or scrolls sideways at 320 px", {
  context: { viewport: { width: 1280, height: 800 } },
}, async (page) => {
  // The other sections differ by their text, and their elements have the same colours.
  const withoutContrast = { rules: { "color-contrast": { enabled: false } } };
  const fits = async (path: string, width: 1280 | 320) => {
    await page.setViewportSize({ width, height: 800 });
    assertEquals(await sidewaysScroll(page), 0, `${path} at ${width} px`);
  };
  for (const path of ["/standard?q=xylophone", "/standard/changelog", "/standard/kit", ...PATHS]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(address(path));
    await fits(path, 1280);
    const hasAll = PATHS.includes(path);
    const violations = hasAll
      ? await axeViolationsInBothSchemes(page)
      : await axeViolations(page, withoutContrast);
    assertEquals(violations, [], path);
    await fits(path, 320);
    if (!hasAll) continue;
    // The frame and the closed contents of a narrow page are the same on all pages.
    const options = path === "/standard/event-chain" ? {} : { runOnly: LAYOUT_RULES };
    assertEquals(await axeViolations(page, options), [], `${path} at 320 px`);
  }
  for (const { id } of standard.sections) {
    const path = `/standard/${id}`;
    if (PATHS.includes(path)) continue;
    await showSection(page, path);
    await fits(path, 320);
    await fits(path, 1280);
    assertEquals(await axeViolations(page, withoutContrast), [], path);
  }
});

test("every table can be focused and scrolled by keyboard", {
  context: { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" },
}, async (page) => {
  await page.goto(address("/standard/event-chain"));
  const tables = await page.getByRole("region", { name: /^Table: / }).count();
  assert(tables > 1);
  const reached = new Set<string>();
  let last = "";
  for (let i = 0; i < 200 && reached.size < tables; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement!;
      const region = element.getAttribute("role") === "region";
      return { label: region ? element.getAttribute("aria-label")! : "" };
    });
    if (focused.label === "") continue;
    last = focused.label;
    reached.add(last);
    if (reached.size > 1) continue;
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.activeElement!.scrollLeft > 0);
  }
  assertEquals(reached.size, tables, `the last one reached: ${last}`);
});

test(
  "on a wide screen the text is between the contents and its headings, which link to themselves, and alone in print",
  {
    context: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  },
  async (page) => {
    await page.goto(address("/standard/heads"));
    const contents = page.getByRole("navigation", { name: "Contents of the standard" });
    const headings = page.getByRole("navigation", { name: "On this page" });
    assertEquals(await contents.count(), 1);
    const [left, middle, right] = await Promise.all([
      contents.boundingBox(),
      page.getByRole("article").boundingBox(),
      headings.boundingBox(),
    ]);
    assert(left!.x + left!.width <= middle!.x);
    assert(middle!.x + middle!.width <= right!.x);

    await headings.getByRole("link", { name: "Changing keys" }).click();
    await page.waitForURL("**#changing-keys");
    assert(await page.locator("#changing-keys").evaluate((heading) => heading.matches(":target")));

    const heading = page.getByRole("heading", { name: "5.2 Signing", exact: true });
    const mark = () =>
      heading.locator("a").evaluate((link) => Number(getComputedStyle(link, "::after").opacity));
    assertEquals(await mark(), 0);
    await heading.hover();
    await becomes(mark, 1);
    await heading.getByRole("link").click();
    await page.waitForURL("**#signing");

    await page.emulateMedia({ media: "print" });
    assert(await page.getByRole("heading", { level: 1 }).isVisible());
    assertEquals(await page.getByRole("navigation").count(), 0);
    assertEquals(await page.getByRole("search").count(), 0);
    const colours = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.documentElement);
      return [color, backgroundColor];
    });
    assertEquals(colours, ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
  },
);

test(
  "reading, searching and opening the contents on a narrow screen work without JavaScript",
  {
    context: { javaScriptEnabled: false, viewport: { width: 375, height: 800 } },
  },
  async (page) => {
    await page.goto(address("/standard"));
    await page.getByRole("searchbox").fill("truncated");
    await page.keyboard.press("Enter");
    await page.waitForURL(address("/standard?q=truncated"));
    await page.getByRole("link", { name: "Verification" }).click();
    await page.waitForURL(/\/standard\/verification\b/);

    const contents = page.getByRole("navigation", { name: "Contents of the standard" });
    assertEquals(await contents.count(), 0);
    await page.locator("summary", { hasText: "Contents" }).click();
    await contents.waitFor();
    assertEquals(await contents.locator("[aria-current]").innerText(), "7\nVerification");
    await contents.getByRole("link", { name: "Without a head" }).click();
    await page.waitForURL("**#without-a-head");
    await contents.getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("link", { name: "Next → Discovery for agents" }).click();
    await page.waitForURL("**/standard/discovery");
    assertEquals(
      await page.getByRole("heading", { level: 1 }).innerText(),
      "9\nDiscovery for agents",
    );
  },
);

test("every code block can be copied, without the line break at its end", {
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async (page) => {
  await page.goto(address("/standard/test-vectors"));
  const buttons = page.getByRole("button", { name: "Copy", exact: true });
  await buttons.first().waitFor();
  assertEquals(await buttons.count(), await page.locator(".markdown pre").count());
  const { salt } = VECTORS.valid[0];
  await page.locator(".code-sample", { hasText: salt }).first().getByRole("button").click();
  await page.getByText("Copied to the clipboard.").waitFor({ state: "attached" });
  assertEquals(await page.evaluate(() => navigator.clipboard.readText()), salt);
});
