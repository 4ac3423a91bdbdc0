/** The accessibility and layout checks that browser tests apply to each page. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { axeViolations, axeViolationsInBothSchemes, changeScheme } from "./axe.ts";
import { becomes, sidewaysScroll } from "./browser.ts";

/** The rules whose result depends on the width of the page. */
const LAYOUT_RULES = ["scrollable-region-focusable", "target-size"];

/**
 * Removes most of the rows that only a screen reader finds, or nobody before opening them, because
 * axe-core's time depends on the number of elements.
 */
const removeHiddenRows = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const rows = ":is(.chart-table, details:not([open])) tbody tr:nth-child(n + 5)";
    for (const row of document.querySelectorAll(rows)) row.remove();
  });

interface Checks {
  /** Some parts are shown at 1280 px only, so the contrast is checked in both schemes there. */
  folds?: boolean;
  /** axe-core runs at 375 px only, in both schemes, where the frame is another one. */
  narrow?: boolean;
  /** The markup is that of another state, so that only its size can be wrong. */
  sizeOnly?: boolean;
  /** Asserts more at each width. */
  atEachWidth?: () => Promise<void>;
}

/**
 * Asserts that the state of a page that is open has no axe violations in either colour scheme, and fits 1280, 375
 * and 320 px. Unless options say otherwise, every rule runs at 1280 px, and at 375 px, in the other
 * scheme, those whose result depends on the width or the scheme. The page stays at the last width.
 *
 * @param state is in the error's message
 */
export async function assertAccessible(
  page: Page,
  state: string,
  { folds = false, narrow = false, sizeOnly = false, atEachWidth }: Checks = {},
): Promise<void> {
  const widths = [1280, 375, 320];
  // Resizing takes time.
  if (page.viewportSize()!.width < 1280) widths.reverse();
  const isOneScheme = folds || narrow || sizeOnly;
  const second = widths.filter((width) => width !== 320)[1];
  const runAll = folds || narrow ? axeViolationsInBothSchemes : axeViolations;
  const runOnly = isOneScheme ? LAYOUT_RULES : ["color-contrast", ...LAYOUT_RULES];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const where = `${state} at ${width} px`;
    // A chart adapts to the width of the window after a delay.
    await becomes(async () => [where, await sidewaysScroll(page)], [where, 0]);
    if (width === widths[0]) await removeHiddenRows(page);
    if (width === second && !isOneScheme) await changeScheme(page);
    if (width === (narrow ? 375 : 1280)) {
      if (!sizeOnly) assertEquals(await runAll(page), [], where);
    } else if (width === 375) {
      assertEquals(await axeViolations(page, { runOnly }), [], where);
    }
    await atEachWidth?.();
  }
}
