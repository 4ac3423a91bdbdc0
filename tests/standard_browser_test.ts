import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, becomes, sidewaysScroll } from "./browser.ts";
import { assertPrintsLight } from "./frame_checks.ts";
import { PIXEL } from "./layout.ts";
import { assertAccessible } from "./page_checks.ts";
import { servedSite } from "./served_site.ts";
import { showMain } from "./show_main.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { surfaces, standard } = site.services;
const address = (path: string) => surfaces.url("foundation", path)!;
/** Asserts that the page does not scroll sideways at a width. */
async function assertFits(page: Page, path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  assertEquals(await sidewaysScroll(page), 0, `${path} at ${width} px`);
}

test("no page has axe violations in either color scheme, or scrolls sideways at 320 px", {
  context: { viewport: { width: 1280, height: 800 } },
}, async (page) => {
  // With the section of the next test, these have all elements that a page of the standard can have.
  for (const path of ["/standard", "/standard?q=signature", "/standard/kit"]) {
    await page.goto(address(path));
    await assertAccessible(page, path, { folds: true });
  }
  // The others differ by their text, and their elements have the same colours.
  const withoutContrast = { rules: { "color-contrast": { enabled: false } } };
  const sections = standard.sections.map(({ id }) => id).filter((id) => id !== "event-chain");
  for (const rest of ["?q=xylophone", "/changelog", ...sections.map((id) => `/${id}`)]) {
    const path = `/standard${rest}`;
    await showMain(page, await site.request("foundation", path));
    for (const width of [320, 1280]) await assertFits(page, path, width);
    assertEquals(await axeViolations(page, withoutContrast), [], path);
  }
});

test("a section has no axe violations, and can be read, copied, printed and scrolled", {
  context: {
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    permissions: ["clipboard-read", "clipboard-write"],
  },
}, async (page, _context, t) => {
  const path = "/standard/event-chain";
  await page.goto(address(path));
  await assertAccessible(page, path, { folds: true });
  await page.setViewportSize({ width: 1280, height: 800 });

  await t.step("a wide screen has the contents, the text and its headings beside it", async () => {
    const contents = page.getByRole("navigation", { name: "Contents of the standard" });
    const headings = page.getByRole("navigation", { name: "On this page" });
    assertEquals(await contents.count(), 1);
    const [left, middle, right] = await Promise.all([
      contents.boundingBox(),
      page.getByRole("article").boundingBox(),
      headings.boundingBox(),
    ]);
    assert(left!.x + left!.width <= middle!.x + PIXEL);
    assert(middle!.x + middle!.width <= right!.x + PIXEL);
    await headings.getByRole("link", { name: "Appending" }).click();
    await page.waitForURL("**#appending");
    assert(await page.locator("#appending").evaluate((heading) => heading.matches(":target")));
  });

  await t.step("a heading links to itself", async () => {
    const heading = page.getByRole("heading", { name: "3.3 The hash of an event", exact: true });
    const mark = () =>
      heading.locator("a").evaluate((link) => Number(getComputedStyle(link, "::after").opacity));
    assertEquals(await mark(), 0);
    await heading.hover();
    await becomes(mark, 1);
    await heading.getByRole("link").click();
    await page.waitForURL("**#the-hash-of-an-event");
  });

  await t.step("every code block can be copied, without the line break at its end", async () => {
    const buttons = page.getByRole("button", { name: "Copy", exact: true });
    await buttons.first().waitFor();
    assertEquals(await buttons.count(), await page.locator(".markdown pre").count());
    const formula = "hash_n = SHA-256( ";
    await Promise.all([
      page.getByText("Copied to the clipboard.").waitFor({ state: "attached" }), // for two seconds
      page.locator(".code-sample", { hasText: formula }).getByRole("button").click(),
    ]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert(copied.startsWith(formula) && copied.endsWith(")"), copied);
  });

  await t.step("only the text is printed, in black on white", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert(await page.getByRole("heading", { level: 1 }).isVisible());
    assertEquals(await page.getByRole("navigation").count(), 0);
    assertEquals(await page.getByRole("search").count(), 0);
    const colours = await page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.documentElement);
      return [color, backgroundColor];
    });
    assertEquals(colours, ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    await assertPrintsLight(page, path);
  });

  await t.step("it has no axe violations at 320 px either", async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    assertEquals(await axeViolations(page), []);
  });

  await t.step("every table can be focused and scrolled by keyboard", async () => {
    const tables = await page.getByRole("region", { name: /^Table: / }).count();
    assert(tables > 1);
    await page.locator(".skip-link").focus();
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
});

test(
  "the contents open on a narrow screen without JavaScript",
  {
    context: { javaScriptEnabled: false, viewport: { width: 375, height: 800 } },
  },
  async (page) => {
    await page.goto(address("/standard/verification"));
    const contents = page.getByRole("navigation", { name: "Contents of the standard" });
    assertEquals(await contents.count(), 0);
    await page.locator("summary", { hasText: "Contents" }).click();
    await contents.waitFor();
    assertEquals(await contents.locator("[aria-current]").innerText(), "7\nVerification");
    await contents.getByRole("link", { name: "Without a head" }).click();
    await page.waitForURL("**#without-a-head");
  },
);
