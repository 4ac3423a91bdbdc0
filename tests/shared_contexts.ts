/**
 * Browser contexts that tests use one after the other. A context of its own costs a test as much CPU time as
 * several pages, because the browser starts a process for it, which compiles all scripts again.
 *
 * @module
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/**
 * The options that are set for the lent page only; other pages of its context have the browser's defaults.
 * Contexts that differ in more than these are not shared.
 */
type PageState = Pick<BrowserContextOptions, "viewport" | "colorScheme" | "reducedMotion">;

/** The methods that change a context for good, so that the next test needs another one. */
const LASTING = [
  "addInitScript",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "on",
  "once",
  "route",
  "routeFromHAR",
  "routeWebSocket",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setOffline",
  "waitForEvent",
] as const;
const LASTING_OF_CLOCK = ["install", "setFixedTime", "setSystemTime"] as const;

/** A context with an empty page. */
interface Lent {
  context: BrowserContext;
  page: Page;
  /** Gives the context back after a test has used it, or closes it if it cannot be used again. */
  giveBack(passed: boolean): Promise<void>;
}

interface Shared {
  context: BrowserContext;
  /** An open page keeps the context's process alive. */
  page: Page;
  /** The origins whose pages have been open, and may have stored something. */
  origins: Set<string>;
  isChanged: boolean;
}

/** Replaces methods of an object by ones that also call a function. */
function watch<T>(object: T, methods: readonly (keyof T)[], onCall: () => void): void {
  for (const name of methods) {
    const original = object[name] as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]) => {
      onCall();
      return original.apply(object, args);
    };
    Object.defineProperty(object, name, { value: watched, configurable: true, writable: true });
  }
}

/** The contexts of a browser. */
export class SharedContexts {
  readonly #browser: Browser;
  /** Those that no test is using, by their options. */
  readonly #idle = new Map<string, Shared[]>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Lends a context without cookies, storage or cached files. */
  async lend(
    { viewport, colorScheme, reducedMotion, ...options }: BrowserContextOptions,
    configure: (context: BrowserContext) => void,
  ): Promise<Lent> {
    // Service workers outlive their pages.
    const isShared = options.serviceWorkers !== "allow" && options.permissions === undefined;
    const key = JSON.stringify(Object.entries(options).sort());
    const shared = isShared && this.#idle.get(key)?.pop() || await this.#open(options, configure);
    const { context, page } = shared;
    await setState(page, { viewport, colorScheme, reducedMotion });
    return {
      context,
      page,
      giveBack: async (passed) => {
        if (!passed || !isShared || shared.isChanged) return await context.close();
        await empty(shared);
        this.#idle.set(key, [...this.#idle.get(key) ?? [], shared]);
      },
    };
  }

  async #open(
    options: BrowserContextOptions,
    configure: (context: BrowserContext) => void,
  ): Promise<Shared> {
    const context = await this.#browser.newContext(options);
    configure(context);
    const origins = new Set<string>();
    context.on("page", (page) => {
      page.on("framenavigated", (frame) => {
        const url = URL.parse(frame.url());
        if (url !== null && url.origin !== "null") origins.add(url.origin);
      });
    });
    const shared = { context, page: await context.newPage(), origins, isChanged: false };
    const change = () => void (shared.isChanged = true);
    watch(context, LASTING, change);
    watch(context.clock, LASTING_OF_CLOCK, change);
    return shared;
  }
}

async function setState(page: Page, { viewport, colorScheme, reducedMotion }: PageState) {
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme ?? reducedMotion) await page.emulateMedia({ colorScheme, reducedMotion });
}

/** Closes all pages of a context, and removes everything that they have stored. */
async function empty(shared: Shared): Promise<void> {
  const { context, origins } = shared;
  const pages = context.pages();
  shared.page = await context.newPage();
  await Promise.all(pages.map((page) => page.close()));
  const session = await context.newCDPSession(shared.page);
  for (const origin of origins) {
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  }
  await session.send("Network.clearBrowserCache");
  await session.detach();
  await context.clearCookies();
  origins.clear();
}
