import type { Page } from "playwright-core";
import type { Site } from "./site.ts";

/** The marketing sites, which have the badge. */
export const SITES = ["foundation", "commercial"] as const;
export type MarketingSite = typeof SITES[number];

export const SIZES = [{ width: 1280, height: 800 }, { width: 375, height: 740 }];
export const CLIPBOARD = ["clipboard-read", "clipboard-write"];

/** The headings of the explainer (spec 4.5.3). */
export const HEADINGS = [
  "New to MCP? You're not alone.",
  "Why this matters for you",
  "Why you have to tell your agent",
  "Connect your agent",
  "Who manages MCP?",
];

export const badgeOf = (page: Page) =>
  page.getByRole("button", { name: "MCP Enabled ↓", exact: true });
export const dialogOf = (page: Page) => page.getByRole("dialog");
export const copyButtonsOf = (page: Page) =>
  dialogOf(page).getByRole("button", { name: /Copy|Copied/ });
export const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Returns whether the focused element matches a selector or is inside such an element. */
export const hasFocus = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement!.closest(selector) !== null, selector);

/** Opens the dialog of a home page and waits for its copy buttons. */
export async function openDialog(page: Page, site: Site, surface: MarketingSite = "foundation") {
  await page.goto(site.services.surfaces.url(surface, "/")!);
  await badgeOf(page).click();
  await dialogOf(page).waitFor();
  await copyButtonsOf(page).nth(1).waitFor(); // rendered after the dialog
}

/** Waits until all animations have finished or were cancelled. */
export async function animationsFinished(page: Page) {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  );
}
