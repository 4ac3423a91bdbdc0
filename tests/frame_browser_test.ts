import type { Page } from "playwright-core";
import { serveBankSite } from "./bank_site.ts";
import { becomes } from "./browser.ts";
import { assertMenuAtTopRight, assertPrintsLight } from "./frame_checks.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const { site, browser } = await servedSite();
const test = withoutMotion(browser);

/**
 * Pages whose style sheets differ, and whether their Colours menu is checked. Other tests check the
 * rest of the pages that they load.
 */
const PAGES = [
  ["site", "/auth", "menu"],
  ["investor", "/"],
  ["trust", "/verify"],
  ["witness", "/", "menu"],
] as const;

/** Asserts it for the contact form, whose shadow root the other assertions don't reach. */
async function assertFormPrintsWithoutButtons(page: Page): Promise<void> {
  const submit = page.getByRole("button", { name: "Register enquiry" });
  await becomes(
    () => submit.evaluate((button) => button.getRootNode() instanceof ShadowRoot),
    true,
  );
  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator("button:visible").count(), 0);
  await page.emulateMedia({ media: "screen" });
}

test(
  "every page has its Colours menu at the top right, and prints light without controls in the dark theme",
  { context: { colorScheme: "dark" } },
  async (page) => {
    await using bank = await serveBankSite();
    for (const path of ["/console", "/console/finance", "/console/surfaces"]) {
      await bank.open(page, "commercial-console", path);
      if (path === "/console") await assertMenuAtTopRight(page, path);
      await assertPrintsLight(page, path);
    }
    await bank.open(page, "site", "/account");
    await assertMenuAtTopRight(page, "/account");
    await assertPrintsLight(page, "/account");
    for (const [surface, path, menu] of PAGES) {
      await page.goto(site.services.surfaces.url(surface, path)!);
      if (menu) await assertMenuAtTopRight(page, surface + path);
      await assertPrintsLight(page, surface + path);
      if (surface === "investor") await assertFormPrintsWithoutButtons(page);
    }
  },
);
