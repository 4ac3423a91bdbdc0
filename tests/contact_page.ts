import type { Page } from "playwright-core";
import { CONFIG, titleOf } from "../lib/contact/config.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { axeViolations, axeViolationsInBothSchemes } from "./browser.ts";
import type { Site } from "./site.ts";

/** What the browser tests of the contact form do on a page. */

const { COPY } = CONFIG;

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 375, height: 740 };

/** The URL pattern of the register endpoint. */
export const ENDPOINT = "**/api/ir/register";

export const dialogOf = (page: Page) => page.getByRole("dialog", { name: /^Contact / });
export const closeOf = (page: Page) => dialogOf(page).getByRole("button", { name: "Close" });
export const submitOf = (page: Page) => page.getByRole("button", { name: COPY.SUBMIT });
export const nameOf = (page: Page) => page.getByLabel("Name", { exact: true });
export const linkOf = (page: Page) =>
  page.locator("#participate").getByRole("link", { name: /Contact us|Register/ });
export const standBy = (page: Page) => page.getByText(COPY.STAND_BY, { exact: true });

/** Opens a page with the form and waits until its scripts run. */
export async function openPage(page: Page, site: Site, surface: SurfaceName): Promise<void> {
  await page.clock.install();
  await page.clock.resume(); // another page's clock stands still if its form was filled in
  await page.goto(site.services.surfaces.url(surface, "/")!);
  // All islands start together, and the badge then becomes a button.
  const ready = surface === "investor" ? ".root form" : ".mcp-badge[role=button]";
  await page.locator(ready).first().waitFor({ state: "attached" });
}

/** Opens the form over a marketing site. */
export async function openModal(
  page: Page,
  site: Site,
  surface: "foundation" | "commercial" = "commercial",
): Promise<void> {
  await openPage(page, site, surface);
  await linkOf(page).click();
  const name = titleOf(site.services.config.organisations[surface].name);
  await page.getByRole("dialog", { name, exact: true }).waitFor();
}

/**
 * Fills in every field and lets the time pass that a person takes. The page's clock must be
 * installed; from now on only {@linkcode reach} and the test move it.
 */
export async function fillIn(page: Page): Promise<void> {
  await nameOf(page).fill("Ada Example");
  await page.getByLabel("Organisation").fill("Example Works");
  await page.getByLabel("Email").fill("ada@mail.example.org");
  await page.getByLabel("Mobile").fill("0412 345 678");
  await page.getByLabel("Technical").check();
  await page.getByLabel("Message").fill("Hello there");
  // Far enough ahead that the clock cannot get there by itself before it stops.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

/** Moves the page's time until the sequence is in a phase; the form must have been sent. */
export async function reach(page: Page, phase: string): Promise<void> {
  await page.locator(".receipt, dialog[data-phase]").first().waitFor({ state: "attached" });
  const dialog = page.locator("dialog");
  for (let i = 0; i < 300; i++) {
    if (await dialog.getAttribute("data-phase") === phase) return;
    await page.clock.runFor(200);
  }
  throw new Error(`The sequence never reached the phase ${phase}.`);
}

/** Sends a filled form and lets the whole sequence pass. */
export async function playThrough(page: Page): Promise<void> {
  await submitOf(page).click();
  await reach(page, "watch");
}

/** Runs something that needs a moving clock, and moves it as slowly as possible. */
async function withSlowClock<Result>(page: Page, run: () => Promise<Result>): Promise<Result> {
  let done = false;
  const result = run().finally(() => done = true);
  while (!done) await page.clock.runFor(1);
  return await result;
}

/** Like `axeViolations`, on a page whose clock stands still. */
export const violationsOf = (page: Page) => withSlowClock(page, () => axeViolations(page));

/** Like `axeViolationsInBothSchemes`, on a page whose clock stands still. */
export const violationsInBothSchemes = (page: Page) =>
  withSlowClock(page, () => axeViolationsInBothSchemes(page));

/** Returns the label, name, id or class of the focused element, inside shadow roots too. */
export const focusOf = (page: Page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") || active?.getAttribute("name") || active?.id ||
      active?.className || "";
  });

/** Returns the lines of the sequence's log, which screen readers get. */
export const logOf = (page: Page) => page.locator(".paper > [role=log] p").allTextContents();
