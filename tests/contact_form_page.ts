import { assert } from "@std/assert";
import type { Page } from "playwright-core";
import { CONFIG } from "../lib/contact/config.ts";

/** What the browser tests of the contact form do on a page, as a visitor does it. */

export const dialogOf = (page: Page) => page.getByRole("dialog", { name: CONFIG.COPY.TITLE });
export const closeOf = (page: Page) => dialogOf(page).getByRole("button", { name: "Close" });
export const submitOf = (page: Page) => page.getByRole("button", { name: CONFIG.COPY.SUBMIT });

/** Fills in everything, as long as a person takes for it; the page's clock must be installed. */
export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Ada Example");
  await page.getByLabel("Organisation").fill("Example Works");
  await page.getByLabel("Email").fill("ada@mail.example.org");
  await page.getByLabel("Mobile").fill("0412 345 678");
  await page.getByLabel("Technical").check();
  await page.getByLabel("Message").fill("Hello there");
  await page.clock.runFor(3_000);
}

/** Waits until the sequence is in a phase, letting the page's time pass. */
export async function reach(page: Page, phase: string): Promise<void> {
  const reached = page.locator(`dialog[data-phase="${phase}"]`);
  await page.locator("dialog[data-phase]").waitFor({ state: "attached" });
  for (let i = 0; i < 120; i++) {
    if (await reached.count() > 0) return;
    await page.clock.runFor(400);
  }
  throw new Error(`The sequence never came to ${phase}.`);
}

/** Sends a filled form and lets the whole sequence pass. */
export async function playThrough(page: Page): Promise<void> {
  await submitOf(page).click();
  await reach(page, "watch");
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
