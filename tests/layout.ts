/**
 * Measurements of pages, and how exact they are.
 *
 * @module
 */
import { assertAlmostEquals } from "@std/assert";
import type { Page } from "playwright-core";

/**
 * Boxes may differ by this many CSS pixels: Chromium lays out in 1/64 of a pixel, rounds scroll positions and
 * sizes to whole ones, and fonts and scrollbars add fractions that depend on the system.
 */
export const PIXEL = 1;

/**
 * The largest sum of layout shifts that counts as none: a page of 1,280 px that moves by a pixel. Chromium
 * reports less than that (0.0003) when a font or an image arrives late and rounds differently. A button that
 * moves the text below it is 0.02 and more.
 */
const NO_SHIFT = 1 / 1280;

/** Asserts that lengths in CSS pixels equal the expected ones, within {@linkcode PIXEL}. */
export function assertPixels(
  actual: readonly number[],
  expected: readonly number[],
  message?: string,
): void {
  const text = `${message ?? "pixels"}: ${actual} instead of ${expected}`;
  if (actual.length !== expected.length) throw new Error(text);
  actual.forEach((each, i) => assertAlmostEquals(each, expected[i], PIXEL, text));
}

/** Returns the sum of the layout shifts that no input caused, until a while after the next frame. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() =>
    new Promise<number>((resolve) => {
      let total = 0;
      new PerformanceObserver((list) => {
        const shifts = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[];
        for (const { value, hadRecentInput } of shifts) if (!hadRecentInput) total += value;
      }).observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => setTimeout(() => resolve(total), 300));
    })
  );

/**
 * Loads a page again, with its fonts from the cache. When they arrive after the first frame, as on a busy
 * machine, text moves by up to 0.14, unless the system has a font that `fonts.css` scales to their widths.
 */
export const reloadWithFonts = (page: Page) => page.reload({ waitUntil: "networkidle" });

/** Asserts that the layout of a page shifts by at most {@linkcode NO_SHIFT}. */
export async function assertNoLayoutShift(page: Page): Promise<void> {
  const shift = await layoutShift(page);
  if (shift > NO_SHIFT) throw new Error(`The layout shifted by ${shift}.`);
}
