/**
 * Checks of pages by axe-core.
 *
 * @module
 */
import type axe from "axe-core";
import minifiedAxe from "axe-core/axe.min.js";
import type { CDPSession, Page } from "playwright-core";

// It compiles faster than the other file, which the type describes.
const { source } = minifiedAxe as unknown as typeof axe;
/** The script as ASCII, because V8 stores any other text with two bytes per unit. */
const SCRIPT = source.replace(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
) + "; undefined";

interface Target {
  session: CDPSession;
  frameId: string;
}

const targets = new WeakMap<Page, Target>();

async function targetOf(page: Page): Promise<Target> {
  const known = targets.get(page);
  if (known !== undefined) return known;
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const target = { session, frameId: frameTree.frame.id };
  targets.set(page, target);
  return target;
}

/** Returns a function that evaluates in a world of its own, without the page's policy, globals and clock. */
async function openWorld(page: Page) {
  const { session, frameId } = await targetOf(page);
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId,
    worldName: "axe",
  });
  return async (expression: string) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      ...{ contextId, expression, awaitPromise: true, returnByValue: true },
    });
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  };
}

/** Returns the accessibility violations that axe-core finds, one line each with the elements. */
export async function axeViolations(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  // Before the styles have loaded, it would measure the browser's default colours.
  await page.waitForLoadState();
  const all: axe.RunOptions = {
    resultTypes: ["violations"],
    selectors: false,
    // Style sheets are only read for an experimental rule, which is off.
    preload: { assets: ["media"] },
    ...options,
  };
  const run = `globalThis.axe?.run(${JSON.stringify(all)}).then(({ violations }) => violations)`;
  const evaluate = await openWorld(page);
  let violations: axe.Result[] | undefined = await evaluate(run);
  if (violations === undefined) {
    await evaluate(SCRIPT);
    violations = await evaluate(run) as axe.Result[];
  }
  return violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`
  );
}

/**
 * Runs every axe-core rule in the page's colour scheme, and in the other scheme only the contrast rule,
 * because no other rule depends on the scheme.
 */
export async function axeViolationsInBothSchemes(page: Page): Promise<string[]> {
  const violations = await axeViolations(page);
  await changeScheme(page);
  return [...violations, ...await axeViolations(page, { runOnly: ["color-contrast"] })];
}

/** Switches to the page's other colour scheme. */
export async function changeScheme(page: Page): Promise<void> {
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: dark ? "light" : "dark" });
  // A colour that is still in transition could have too little contrast.
  await page.evaluate(() => {
    const all = document.getAnimations();
    return Promise.allSettled( // a transition of a removed element is cancelled
      all.filter((one) => one instanceof CSSTransition).map((one) => one.finished),
    );
  });
}
