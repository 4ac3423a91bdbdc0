/**
 * A headless Chromium for tests. It comes from the npm registry (Linux x64 only); set `CHROME_PATH` to
 * use another one.
 *
 * @example
 * ```ts
 * const browser = testBrowser();
 * Deno.test.afterAll(() => browser.close());
 * browser.test("the home page opens", {}, async (page) => {
 *   await page.goto("http://site.localhost:8000/");
 *   assertEquals(await page.title(), "Hello");
 *   assertEquals(await axeViolations(page), []);
 * });
 * ```
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Locator,
  type Page,
  type WebError,
} from "playwright-core";
import { HANG_MS } from "../lib/testing/times.ts";
import { PIXEL } from "./layout.ts";
import { unpackedChromium } from "./chromium.ts";
import { SharedContexts } from "./shared_contexts.ts";
import { stoppedPorts } from "./stopped_ports.ts";

export { axeViolations, axeViolationsInBothSchemes, changeScheme } from "./axe.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  // Without these, a process draws what the pages have painted, and another one decides about it.
  "--in-process-gpu",
  "--disable-software-rasterizer",
  "--disable-3d-apis",
  "--disable-background-networking",
  "--disable-component-update",
  // Optimize only functions that are called ten times as often as by default. For the others it takes
  // longer than what it saves in the short life of a page. Keep what is compiled for the next page.
  "--js-flags=--invocation-count-for-maglev=4000,--invocation-count-for-turbofan=30000,--no-flush-bytecode,--no-isolate-script-cache-ageing",
  // Pages of all surfaces share one process, because a new one takes as long as several pages.
  "--disable-site-isolation-trials",
  "--renderer-process-limit=1",
  "--num-raster-threads=1",
  // Chromium resolves *.localhost itself. Other hosts do not resolve, so that tests need no network.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE ::1",
];

export interface PageOptions {
  /** Console and page errors that the test expects; any other error fails it. */
  expectedErrors?: RegExp[];
  /** Options of the page's context, for example `{ colorScheme: "dark" }`. */
  context?: BrowserContextOptions;
}

/** Starts a new Chromium, with more flags if they are given. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return await chromium.launch({
    executablePath: Deno.env.get("CHROME_PATH") ?? await unpackedChromium(),
    args: [...FLAGS, ...flags],
  });
}

/**
 * Opens a page in a fresh context, and closes the context after `fn`.
 *
 * @throws {Error} if the page logged an unexpected error
 */
export async function withPage<T>(
  browser: Browser,
  options: PageOptions,
  fn: (page: Page, context: BrowserContext) => T | Promise<T>,
): Promise<T> {
  const context = await browser.newContext(contextOptions(options));
  try {
    context.setDefaultTimeout(HANG_MS);
    return await runWithoutErrors(
      context,
      options,
      async () => fn(await context.newPage(), context),
    );
  } finally {
    await context.close();
  }
}

const contextOptions = ({ context }: PageOptions): BrowserContextOptions => ({
  locale: "en-US",
  // A worker's script is fetched whenever the browser likes, also after the test has stopped its
  // server. Tests of the worker allow it.
  serviceWorkers: "block",
  ...context,
});

/** Calls a function, and throws an error if a page of a context logged an unexpected one meanwhile. */
async function runWithoutErrors<T>(
  context: BrowserContext,
  { expectedErrors }: PageOptions,
  fn: () => T | Promise<T>,
): Promise<T> {
  const errors: string[] = [];
  const addMessage = (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    // A server that is stopping responds to a page's last requests with 503, or not at all.
    if (
      /net::ERR_|status of 503/.test(message.text()) &&
      stoppedPorts.has(URL.parse(url)?.port ?? "")
    ) {
      return;
    }
    errors.push(`${message.text()} (${url})`);
  };
  const addError = (event: WebError) => void errors.push(String(event.error()));
  context.addListener("console", addMessage);
  context.addListener("weberror", addError);
  try {
    const result = await fn();
    // After this round trip, all errors that the pages have reported so far have arrived.
    await Promise.allSettled(context.pages().map((page) => page.evaluate("0")));
    const unexpected = errors.filter((text) => !expectedErrors?.some((each) => each.test(text)));
    if (unexpected.length > 0) throw new Error(`Errors in the page:\n${unexpected.join("\n")}`);
    return result;
  } finally {
    context.removeListener("console", addMessage);
    context.removeListener("weberror", addError);
  }
}

interface SharedBrowser {
  chromium: Browser;
  contexts: SharedContexts;
}

/** The Chromium of all test files that share an isolate, and how many of them still need it. */
let browserOfAll: Promise<SharedBrowser> | undefined;
let users = 0;

async function launchShared(): Promise<SharedBrowser> {
  const chromium = await launchBrowser();
  return { chromium, contexts: new SharedContexts(chromium) };
}

/** The browser for the tests of a file. The first one that needs it starts it. */
export class TestBrowser {
  constructor() {
    users++;
  }

  /** Does the same as {@linkcode withPage} in this browser, in an emptied context of an earlier test. */
  async withPage<T>(
    options: PageOptions,
    fn: (page: Page, context: BrowserContext) => T | Promise<T>,
  ): Promise<T> {
    const { contexts } = await (browserOfAll ??= launchShared());
    const { context, page, giveBack } = await contexts.lend(
      contextOptions(options),
      (context) => context.setDefaultTimeout(HANG_MS),
    );
    let passed = false;
    try {
      const result = await runWithoutErrors(context, options, () => fn(page, context));
      passed = true;
      return result;
    } finally {
      await giveBack(passed);
    }
  }

  /** Registers a test with a page. The browser outlives the test, so leaks are not checked. */
  test(
    name: string,
    options: PageOptions & { ignore?: boolean },
    fn: (page: Page, context: BrowserContext, t: Deno.TestContext) => void | Promise<void>,
  ): void {
    Deno.test({
      name,
      ignore: options.ignore,
      sanitizeOps: false,
      sanitizeResources: false,
      fn: (t) => this.withPage(options, (page, context) => fn(page, context, t)),
    });
  }

  /** Closes Chromium after the last file's tests. */
  async close(): Promise<void> {
    if (--users > 0) return;
    const open = browserOfAll;
    browserOfAll = undefined;
    await (await open)?.chromium.close();
  }
}

/** Creates the browser of one test file; see the module's example. */
export function testBrowser(): TestBrowser {
  return new TestBrowser();
}

/**
 * Waits until a value equals the expected one. Use it for values that are read once, such as a count or
 * a text, while a navigation or a render may still be pending.
 *
 * @throws {AssertionError} with the last value, if it still differs after four minutes
 * @example
 * ```ts
 * await page.getByRole("button", { name: "Apply" }).click();
 * await becomes(() => page.locator("tbody tr").count(), 25);
 * ```
 */
export async function becomes<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  const end = Date.now() + HANG_MS;
  // Reading takes the browser's time, which the page needs for becoming what is expected.
  for (let pause = 20;; pause = Math.min(2 * pause, 200)) {
    try {
      return assertEquals(await read(), expected);
    } catch (error) {
      // Reading can also fail while the page is navigating.
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * Presses Tab until an element has the focus.
 *
 * @throws {Error} if more stops than any page has do not reach it
 */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let stops = 0; stops < 200; stops++) {
    if (await element.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${element}.`);
}

/** Returns by how many pixels a page is wider than the screen; 0 for less than can be measured. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate((tolerance) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth <= tolerance ? 0 : scrollWidth - clientWidth;
  }, PIXEL);
