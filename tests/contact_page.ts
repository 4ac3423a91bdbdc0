import { assert } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG } from "../lib/contact/config.ts";
import { axeViolations } from "./browser.ts";

/** What the browser tests of the contact form do on a page, as a visitor does it. */

export const dialogOf = (page: Page) => page.getByRole("dialog", { name: CONFIG.COPY.TITLE });
export const closeOf = (page: Page) => dialogOf(page).getByRole("button", { name: "Close" });
export const submitOf = (page: Page) => page.getByRole("button", { name: CONFIG.COPY.SUBMIT });

/**
 * Fills in everything, as long as a person takes for it. The page's clock must be installed; from
 * then on it stands, and moves by {@linkcode reach} and by hand alone.
 */
export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Ada Example");
  await page.getByLabel("Organisation").fill("Example Works");
  await page.getByLabel("Email").fill("ada@mail.example.org");
  await page.getByLabel("Mobile").fill("0412 345 678");
  await page.getByLabel("Technical").check();
  await page.getByLabel("Message").fill("Hello there");
  // So far ahead that the clock cannot get there by itself before it stands.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

/** Lets the page's time pass until the sequence is in a phase; the form must have been sent. */
export async function reach(page: Page, phase: string): Promise<void> {
  await page.locator(".receipt, dialog[data-phase]").first().waitFor({ state: "attached" });
  const dialog = page.locator("dialog");
  for (let i = 0; i < 300; i++) {
    if (await dialog.getAttribute("data-phase") === phase) return;
    await page.clock.runFor(200);
  }
  throw new Error(`The sequence never came to ${phase}.`);
}

/** Sends a filled form and lets the whole sequence pass. */
export async function playThrough(page: Page): Promise<void> {
  await submitOf(page).click();
  await reach(page, "watch");
}

/** As `axeViolations`, whose own timers need a clock that goes: as slowly as may be. */
export async function violationsOf(page: Page): Promise<string[]> {
  let done = false;
  const found = axeViolations(page).finally(() => done = true);
  while (!done) await page.clock.runFor(1);
  return await found;
}

/** The label, or the name, of what has the focus, also inside a shadow root. */
export const focusOf = (page: Page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") || active?.getAttribute("name") || active?.id ||
      active?.className || "";
  });

/** What a screen reader is told in the sequence, line by line. */
export const logOf = (page: Page) => page.locator(".paper > [role=log] p").allTextContents();

export function assertNear(actual: number, expected: number, within: number, what: string) {
  assert(Math.abs(actual - expected) <= within, `${what}: ${actual}, not ${expected}`);
}
