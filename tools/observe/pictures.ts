import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchBrowser } from "../../tests/browser.ts";
import { type Shot, SHOTS } from "./pages.ts";
import { REMOVED } from "./removed.ts";
import type { ObservedSite, Visitor } from "./store.ts";

export const WIDTHS = [1280, 375] as const;
export const SCHEMES = ["light", "dark"] as const;
/** Pictures end after this many pixels. A picture with more takes seconds. */
const MAX_HEIGHT = 8_000;
/** How many pages are open at the same time. */
const PAGES = 3;
/** A page is ready when nothing in it has changed for so long; it is taken as it is after the limit. */
const QUIET_MS = 120;
const QUIET_LIMIT_MS = 3_000;

/** Parts of pages that draw what is removed from texts. */
const HIDDEN = "svg.qr path, canvas { visibility: hidden !important }";

/** Returns the name of a shot's pictures, such as `trust my-record_key`. */
export function nameOf(pattern: string, { on, name }: Shot): string {
  const path = pattern.slice(1).replaceAll(/\{.*?\}\?|:/g, "").replaceAll("/", "_");
  return [on, path || "home", name].filter((part) => part !== undefined).join(" ");
}

/**
 * Takes the pictures of all pages, and writes them to a folder.
 *
 * @param only takes only those whose name contains it
 * @returns how many there are, and what is wrong with pages
 */
export async function takePictures(
  site: ObservedSite,
  folder: string,
  only = "",
): Promise<{ count: number; problems: string[] }> {
  await Deno.mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  const shots = Object.entries(SHOTS)
    .flatMap(([pattern, shots]) => shots.map((shot) => ({ name: nameOf(pattern, shot), shot })))
    .filter(({ name }) => name.includes(only));
  const problems: string[] = [];
  const tasks = WIDTHS.flatMap((width) => shots.map((each) => ({ ...each, width })));
  let next = 0;
  await Promise.all(Array.from({ length: PAGES }, async () => {
    while (next < tasks.length) {
      const { name, shot, width } = tasks[next++];
      const problem = await take(browser, site, { shot, width, path: `${folder}/${name}` })
        .catch((error) => String(error));
      if (problem !== null) problems.push(`${name} ${width}: ${problem}`);
    }
  }));
  await browser.close();
  return { count: tasks.length * SCHEMES.length, problems };
}

/** Takes the pictures of a page at one width in both schemes. Returns what is wrong with it; null if nothing is. */
async function take(
  browser: Browser,
  site: ObservedSite,
  { shot, width, path }: { shot: Shot; width: number; path: string },
): Promise<string | null> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    locale: "en-US",
    timezoneId: "Australia/Sydney",
    reducedMotion: "reduce",
    colorScheme: "light",
    serviceWorkers: "block",
  });
  try {
    const url = addressOf(site, shot);
    await addCookies(context, site, url, shot.as);
    const page = await context.newPage();
    await page.clock.setFixedTime(site.clock.now);
    const response = await page.goto(url);
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await becomesQuiet(page);
      const height = await prepare(page);
      await page.screenshot({
        path: `${path} ${width} ${colorScheme}.png`,
        clip: { x: 0, y: 0, width, height },
        fullPage: true,
        animations: "disabled",
        caret: "hide",
        style: HIDDEN,
      });
    }
    const status = response!.status();
    const isExpected = status === 200 || shot.name === "error" || shot.path === "/authorize";
    return isExpected ? null : `The status is ${status}.`;
  } finally {
    await context.close();
  }
}

function addressOf(site: ObservedSite, { on, path }: Shot): string {
  return site.site.services.surfaces.url(on, typeof path === "string" ? path : path(site))!;
}

async function addCookies(
  context: BrowserContext,
  { cookies }: ObservedSite,
  url: string,
  visitor?: Visitor,
): Promise<void> {
  if (visitor === undefined) return;
  const pairs = cookies[visitor].split("; ").map((pair) => pair.split("="));
  const { origin } = new URL(url);
  await context.addCookies(pairs.map(([name, value]) => ({ name, value, url: origin })));
}

/** Waits until nothing in a page has changed for a while. */
const becomesQuiet = (page: Page): Promise<void> =>
  page.evaluate(([quietMs, limitMs]) =>
    new Promise<void>((resolve) => {
      let timer = setTimeout(end, quietMs);
      const observer = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(end, quietMs);
      });
      const limit = setTimeout(end, limitMs);
      observer.observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      function end() {
        clearTimeout(timer);
        clearTimeout(limit);
        observer.disconnect();
        resolve();
      }
    }), [QUIET_MS, QUIET_LIMIT_MS] as const);

/** Removes from a page's texts and fields what differs from run to run. Returns the height of its picture. */
const prepare = (page: Page): Promise<number> =>
  page.evaluate(([rules, maxHeight]) => {
    const compiled = rules.map(({ pattern, flags, characters }) => ({
      pattern: new RegExp(pattern, flags),
      characters: characters === null ? null : new RegExp(characters.source, characters.flags),
    }));
    const remove = (text: string) =>
      compiled.reduce(
        (rest, { pattern, characters }) =>
          rest.replace(
            pattern,
            (found) => characters === null ? "" : found.replace(characters, "0"),
          ),
        text,
      );
    function change(root: Node) {
      const walker = document.createTreeWalker(
        root,
        NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
      );
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node instanceof Text) {
          const text = remove(node.data);
          if (text !== node.data) node.data = text;
        } else if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
          if (/^(text|search|email|url|tel|textarea)$/.test(node.type)) {
            node.value = remove(node.value);
            node.placeholder = remove(node.placeholder);
          }
        } else if (node instanceof Element && node.shadowRoot !== null) change(node.shadowRoot);
      }
    }
    change(document.body);
    return Math.min(maxHeight, document.documentElement.scrollHeight);
  }, [RULES, MAX_HEIGHT] as const);

/** The rules in a form that a page accepts. */
const RULES = REMOVED.map(({ pattern, characters }) => ({
  pattern: pattern.source,
  flags: pattern.flags,
  characters: characters && { source: characters.source, flags: characters.flags },
}));
