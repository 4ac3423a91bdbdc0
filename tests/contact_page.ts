/** Actions of the browser tests on pages with the contact form. */
import type { Page } from "playwright-core";
import { CONFIG, titleOf } from "../lib/features/contact/config.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import type { Site } from "./site.ts";

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
  page.locator("#participate, #contact").getByRole("link", { name: "Contact us" });
export const standBy = (page: Page) => page.getByText(COPY.STAND_BY, { exact: true });

/** Opens a page with the form and waits until its scripts run. */
export async function openPage(
  page: Page,
  site: Site,
  surface: SurfaceName,
  path = "/",
): Promise<void> {
  await page.clock.install();
  await page.clock.resume(); // the clock may be paused, if a form on another page was filled in
  await page.goto(site.services.surfaces.url(surface, path)!);
  // All islands start together, so wait until the badge becomes a button.
  const ready = surface === "investor" ? ".root form" : ".mcp-badge[role=button]";
  await page.locator(ready).first().waitFor({ state: "attached" });
}

/** Opens the form over the smallest page of a marketing site. */
export async function openModal(page: Page, site: Site): Promise<void> {
  await openPage(page, site, "commercial", "/connect");
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact form" }).click();
  const name = titleOf(site.services.config.organisations.commercial.name);
  await page.getByRole("dialog", { name, exact: true }).waitFor();
}

/** The values that {@linkcode fillIn} enters, by the controls' names. */
const VALUES = {
  name: "Ada Example",
  organisation: "Example Works",
  email: "ada@mail.example.org",
  mobile_number: "0412 345 678",
  message: "Hello there",
};

/**
 * Fills in every field at once, because the browser would draw the page after each, and advances the
 * time by as much as a person would need. The page's clock must be installed. From now on, only
 * {@linkcode reach} and the test advance it.
 */
export async function fillIn(page: Page): Promise<void> {
  await page.locator(".root form").evaluate((form, values) => {
    for (const [name, value] of Object.entries(values)) {
      const control = form.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
      control.value = value;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
    form.querySelector<HTMLElement>("[value=Technical]")!.click();
  }, VALUES);
  await pause(page);
}

/** Fills in the form as {@linkcode fillIn} does, but as a person would: by the labels. */
export async function fillInByLabels(page: Page): Promise<void> {
  await nameOf(page).fill(VALUES.name);
  await page.getByLabel("Organisation").fill(VALUES.organisation);
  await page.getByLabel("Email").fill(VALUES.email);
  await page.getByLabel("Mobile").fill(VALUES.mobile_number);
  await page.getByLabel("Technical").check();
  await page.getByLabel("Message").fill(VALUES.message);
  await pause(page);
}

/** Pauses the page's clock far enough ahead that it does not pass that time before. */
const pause = async (page: Page) =>
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));

/**
 * Sends a filled-in form and advances to standby, at full pace although the page prefers reduced
 * motion: drawing its animations would take most of a test's time.
 */
export async function submitAtFullPace(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await submitOf(page).click();
  await reach(page, "standby"); // the pace is chosen
  await page.emulateMedia({ reducedMotion: "reduce" });
}

/**
 * Advances the page's time until the sequence reaches a phase, in steps that skip no phase before it.
 * The form must have been sent. It is not typed character by character, as the page does in real time.
 */
export async function reach(page: Page, phase: string): Promise<void> {
  await page.locator(".receipt, dialog[data-phase]").first().waitFor({ state: "attached" });
  const dialog = page.locator("dialog");
  const step = phase === "watch" ? 30_000 : 600;
  for (let steps = 0; steps < 100; steps++) {
    if (await dialog.getAttribute("data-phase") === phase) return;
    await page.clock.fastForward(step);
  }
  throw new Error(`The sequence never reached the phase ${phase}.`);
}

/** Sends a filled-in form and advances through the whole sequence. */
export async function playThrough(page: Page): Promise<void> {
  await submitOf(page).click();
  await reach(page, "watch");
}

/** Returns the label, name, id or class of the focused element, including inside shadow roots. */
export const focusOf = (page: Page) =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") || active?.getAttribute("name") || active?.id ||
      active?.className || "";
  });

/** Returns the lines of the sequence's log, which screen readers read. */
export const logOf = (page: Page) => page.locator(".paper > [role=log] p").allTextContents();
