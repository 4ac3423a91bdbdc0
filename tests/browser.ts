/**
 * A headless Chromium for tests. It comes from the npm registry (Linux x64); elsewhere, or by wish,
 * `CHROME_PATH` names another one.
 *
 * @example
 * ```ts
 * const browser = testBrowser();
 * Deno.test.afterAll(() => browser.close());
 * browser.test("the home page greets", {}, async (page) => {
 *   await page.goto("http://site.localhost:8000/");
 *   assertEquals(await page.title(), "Hello");
 *   assertEquals(await axeViolations(page), []);
 * });
 * ```
 *
 * @module
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import sparticuz from "@sparticuz/chromium";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  // Chromium resolves *.localhost itself; nothing else is asked for, so that tests need no network.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
];

export interface PageOptions {
  /** Console and page errors that belong to the test; every other one fails it. */
  expectedErrors?: RegExp[];
  /** Of the page's own context, for example `{ colorScheme: "dark" }`. */
  context?: BrowserContextOptions;
}

/** Starts a Chromium of its own. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: await executablePath(), args: FLAGS });
}

/**
 * Opens a page in a fresh context, and closes the context after `fn`.
 *
 * @throws {Error} when the page logged an error that is not expected
 */
export async function withPage<T>(
  browser: Browser,
  options: PageOptions,
  fn: (page: Page, context: BrowserContext) => T | Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ locale: "en-US", ...options.context });
  const errors: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (event) => errors.push(String(event.error())));
  try {
    const result = await fn(await context.newPage(), context);
    // There and back once more: what the page has reported by now has then arrived.
    await Promise.allSettled(context.pages().map((page) => page.evaluate("0")));
    const unexpected = errors.filter((text) =>
      !options.expectedErrors?.some((pattern) => pattern.test(text))
    );
    if (unexpected.length > 0) throw new Error(`Errors in the page:\n${unexpected.join("\n")}`);
    return result;
  } finally {
    await context.close();
  }
}

/** One browser for the tests of a file, started by the first one that needs it. */
export class TestBrowser {
  #browser: Promise<Browser> | undefined;

  /** As {@linkcode withPage}, in this browser. */
  async withPage<T>(
    options: PageOptions,
    fn: (page: Page, context: BrowserContext) => T | Promise<T>,
  ): Promise<T> {
    return await withPage(await (this.#browser ??= launchBrowser()), options, fn);
  }

  /** Registers a test with a page. The browser outlives it, so leaks are not looked for. */
  test(
    name: string,
    options: PageOptions & { ignore?: boolean },
    fn: (page: Page, context: BrowserContext) => void | Promise<void>,
  ): void {
    Deno.test({
      name,
      ignore: options.ignore,
      sanitizeOps: false,
      sanitizeResources: false,
      fn: () => this.withPage(options, fn),
    });
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close();
  }
}

/** A browser for one test file; see the module's example. */
export function testBrowser(): TestBrowser {
  return new TestBrowser();
}

/**
 * Waits until a page shows what it should. For what is read at once, a count or a text, while a
 * click's navigation may still be on its way, or the page not drawn again.
 *
 * @throws {AssertionError} with the last value, when it is another one for ten seconds
 * @example
 * ```ts
 * await page.getByRole("button", { name: "Show" }).click();
 * await becomes(() => page.locator("tbody tr").count(), 25);
 * ```
 */
export async function becomes<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  for (const end = Date.now() + 10_000;; await new Promise((resolve) => setTimeout(resolve, 25))) {
    try {
      return assertEquals(await read(), expected);
    } catch (error) {
      // A page that is just being left cannot be asked: that, too, is not yet.
      if (Date.now() > end) throw error;
    }
  }
}

/** By how many pixels a page is wider than the screen. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * What axe-core finds wrong with the page's accessibility, one line each with the elements. It is
 * brought in through the debugger, so a Content-Security-Policy does not keep it out.
 */
export async function axeViolations(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  // Before the styles are there, it would measure the browser's own colours.
  await page.waitForLoadState();
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  };
  if (!await evaluate("'axe' in globalThis")) await evaluate(`${axe.source}; undefined`);
  const violations: axe.Result[] = await evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  await session.detach();
  return violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`
  );
}

/**
 * Runs every axe-core rule in the page's colour scheme, and the contrast rule in the other scheme,
 * since nothing else depends on it.
 */
export async function axeViolationsInBothSchemes(page: Page): Promise<string[]> {
  const violations = await axeViolations(page);
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: dark ? "light" : "dark" });
  // A colour that is still in transition could have too little contrast.
  await page.evaluate(() => {
    const all = document.getAnimations();
    return Promise.all(
      all.filter((one) => one instanceof CSSTransition).map((one) => one.finished),
    );
  });
  return [...violations, ...await axeViolations(page, { runOnly: ["color-contrast"] })];
}

async function executablePath(): Promise<string> {
  const own = Deno.env.get("CHROME_PATH");
  if (own !== undefined) return own;
  // It is unpacked to one place for all: two at once would start a half-written one.
  const file = join(tmpdir(), "chromium-unpack.lock");
  using lock = await Deno.open(file, { create: true, write: true });
  await lock.lock(true);
  return await sparticuz.executablePath();
}
