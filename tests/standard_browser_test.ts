import { assert, assertEquals } from "@std/assert";
import { axeViolations, axeViolationsInBothSchemes, sidewaysScroll } from "./browser.ts";
import { VECTORS } from "../lib/standard/mod.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { surfaces, standard } = site.services;
const address = (path: string) => surfaces.url("foundation", path)!;
/** Pages with all elements that a page of the standard can have. */
const PATHS = ["/standard", "/standard/event-chain", "/standard?q=signature"];

test("no page has axe violations in either color scheme, or scrolls sideways at 320 px", {
  context: { viewport: { width: 1280, height: 800 } },
}, async (page) => {
  const all = new Set([
    ...PATHS,
    "/standard?q=xylophone",
    "/standard/changelog",
    "/standard/kit",
    ...standard.sections.map(({ id }) => `/standard/${id}`),
  ]);
  // The other sections differ by their text, and their elements have the same colours.
  const withoutContrast = { rules: { "color-contrast": { enabled: false } } };
  for (const path of all) {
    const isSection = path.startsWith("/standard/") && !PATHS.includes(path);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(address(path));
    const violations = isSection
      ? await axeViolations(page, withoutContrast)
      : await axeViolationsInBothSchemes(page);
    assertEquals(violations, [], path);
    assertEquals(await sidewaysScroll(page), 0, `${path} at 1280 px`);
    await page.setViewportSize({ width: 320, height: 800 });
    assertEquals(await sidewaysScroll(page), 0, `${path} at 320 px`);
    if (PATHS.includes(path)) assertEquals(await axeViolations(page), [], `${path} at 320 px`);
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
  "on a wide screen the text is between the contents and its headings, and alone in print",
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

test("a heading links to itself and shows a marker on hover", {
  context: { reducedMotion: "reduce" },
}, async (page) => {
  await page.goto(address("/standard/records"));
  const heading = page.getByRole("heading", { name: "2.2 The salt", exact: true });
  const mark = () =>
    heading.locator("a").evaluate((link) => Number(getComputedStyle(link, "::after").opacity));
  assertEquals(await mark(), 0);
  await heading.hover();
  await page.waitForFunction(() =>
    getComputedStyle(document.querySelector("#the-salt a")!, "::after").opacity === "1"
  );
  await heading.getByRole("link").click();
  await page.waitForURL("**#the-salt");
});

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
