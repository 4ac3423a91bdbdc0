/** Takes screenshots of all pages, in both colour schemes, at the widths of a computer and a phone. */
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { launchBrowser } from "../../tests/browser.ts";
import { type Shot, SHOTS } from "./pages.ts";
import { REMOVED } from "./removed.ts";
import type { ObservedSite, Visitor } from "./store.ts";

const WIDTHS = [1280, 375] as const;
const SCHEMES = ["light", "dark"] as const;
/** Pictures end after this many pixels. A picture with more takes seconds. */
const MAX_HEIGHT = 8_000;
/** How many pages are open at the same time. */
const PAGES = 3;
/** A page is ready when nothing in it has changed for so long, and all requests have ended, up to a limit. */
const QUIET_MS = 120;
const QUIET_LIMIT_MS = 20_000;
/** For how long a page that keeps changing is waited for. */
const CHANGING_MS = 3_000;

/** Parts of pages that show what is removed from texts: QR codes, pages of PDFs, and mails. */
const HIDDEN = 'path[shape-rendering="crispEdges"], canvas, iframe';

/** Returns the name of a shot's pictures, such as `trust my-record_key`. */
function nameOf(pattern: string, { on, name }: Shot): string {
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
    const requests = countRequests(page);
    const response = await page.goto(url);
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await becomesQuiet(page, requests);
      const height = await prepare(page);
      await page.screenshot({
        path: `${path} ${width} ${colorScheme}.png`,
        clip: { x: 0, y: 0, width, height },
        fullPage: true,
        animations: "disabled",
        caret: "hide",
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

/** Counts a page's requests whose responses have not arrived. Streams never end, so they do not count. */
function countRequests(page: Page): { pending: () => number } {
  const pending = new Set<Request>();
  page.on("request", (each) => each.resourceType() === "eventsource" || pending.add(each));
  page.on("requestfinished", (each) => pending.delete(each));
  page.on("requestfailed", (each) => pending.delete(each));
  return { pending: () => pending.size };
}

/** Waits until a page has loaded its images, and until nothing has changed in it for a while. */
async function becomesQuiet(page: Page, { pending }: { pending: () => number }): Promise<void> {
  const end = performance.now() + QUIET_LIMIT_MS;
  do await page.evaluate(isQuiet, [QUIET_MS, CHANGING_MS] as const); while (
    pending() > 0 && performance.now() < end
  );
}

/** Resolves when all images are there and nothing in the document has changed for a while. Runs in the page. */
async function isQuiet([quietMs, changingMs]: readonly [number, number]): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, changingMs));
  const images = Array.from(document.images, (image) => {
    image.loading = "eager"; // also those below the screen
    return image.decode().catch(() => {});
  });
  await Promise.race([Promise.all(images), late]);
  const quiet = new Promise<void>((resolve) => {
    const done = () => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(done, quietMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
  });
  await Promise.race([quiet, late]);
}

/** Removes from a document's texts and fields what differs from run to run. Returns the height of its picture. */
const prepare = (page: Page): Promise<number> =>
  page.evaluate(([rules, hidden, maxHeight]) => {
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
    document.body.normalize(); // a text may consist of several nodes
    change(document.body);
    for (const each of document.querySelectorAll<HTMLElement>(hidden)) {
      each.style.visibility = "hidden"; // the page's policy allows no other style
    }
    return Math.min(maxHeight, document.documentElement.scrollHeight);
  }, [RULES, HIDDEN, MAX_HEIGHT] as const);

/** The rules in a form that a page accepts. */
const RULES = REMOVED.map(({ pattern, characters }) => ({
  pattern: pattern.source,
  flags: pattern.flags,
  characters: characters && { source: characters.source, flags: characters.flags },
}));
