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
  /** Every rule runs at 375 px, and at 1280 px those that depend on the width; by default the other way round. */
  narrow?: boolean;
  /** The page hides columns or labels at 375 px, so its contrast is checked at 1280 px only. */
  folds?: boolean;
  /** The markup is that of another state, so that only its size can be wrong. */
  sizeOnly?: boolean;
  /** Asserts more at each width. */
  atEachWidth?: (width: number) => Promise<void>;
}

/**
 * Asserts that the state of a page that is open has no axe violations in either colour scheme, and fits 1280, 375
 * and 320 px. Every rule runs at 1280 px, and at 375 px those that depend on the width. So that this is one
 * run per width, the two widths have different schemes. The page stays at the last width.
 *
 * @param state is in the error's message
 */
export async function assertAccessible(
  page: Page,
  state: string,
  { narrow = false, folds = false, sizeOnly = false, atEachWidth }: Checks = {},
): Promise<void> {
  const widths = [1280, 375, 320];
  // Resizing takes time.
  if (page.viewportSize()!.width < 1280) widths.reverse();
  const second = widths.filter((width) => width !== 320)[1];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // A chart adapts to the width of the window after a delay.
    await becomes(async () => [state, width, await sidewaysScroll(page)], [state, width, 0]);
    if (width === widths[0]) await removeHiddenRows(page);
    const bothSchemes = !folds && !sizeOnly;
    if (width === second && bothSchemes) await changeScheme(page);
    if (width === (narrow ? 375 : 1280)) {
      const check = folds ? axeViolationsInBothSchemes : axeViolations;
      if (!sizeOnly) assertEquals(await check(page), [], state);
    } else if (width !== 320) {
      const runOnly = bothSchemes ? ["color-contrast", ...LAYOUT_RULES] : LAYOUT_RULES;
      assertEquals(await axeViolations(page, { runOnly }), [], `${state} at ${width} px`);
    }
    await atEachWidth?.(width);
  }
}
