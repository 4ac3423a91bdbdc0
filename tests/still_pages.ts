import type { TestBrowser } from "./browser.ts";

/**
 * Returns a function that registers tests of a browser whose pages prefer reduced motion, because
 * drawing animations takes a large part of a test's time. Tests about motion use the browser's own.
 */
export const withoutMotion =
  (browser: TestBrowser): TestBrowser["test"] => (name, { context, ...options }, fn) =>
    browser.test(name, { ...options, context: { reducedMotion: "reduce", ...context } }, fn);
