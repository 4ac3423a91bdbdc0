/**
 * Compares our chart with Chart.js in a headless browser: the first paint of 100,000 points, the
 * script time of 10 s of pointer moves, and the code size. Both draw one straight line without
 * points or animation at a height of 300 px. Ours is the complete island with table and tooltip;
 * Chart.js is only the canvas and is tuned (no parsing, sorted data).
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../tests/browser.ts";

const POINTS = 100_000;
/** Rounds that are not counted, because the code is compiled and the heap grows in them. */
const WARM_UP = 3;
/** Ten seconds at 60 Hz. */
const MOVES = 600;
const MAX_RATIO = 0.5;

declare global {
  /** The number of mouse moves that the page received. */
  var moves: number;
}

/**
 * Runs the benchmark, by default for half a minute.
 *
 * @param options.rounds rounds in which both charts are drawn; the median counts
 * @param options.seconds duration of the pointer moves
 */
export async function run({ rounds = 15, seconds = 10 } = {}) {
  await using server = await serveFixture();
  const browser = await launchBrowser();
  try {
    const base = await codeBytes(browser, `${server.origin}/base`);
    const [ours, peer] = await Promise.all(["ours", "peer"].map(async (name) => {
      const page = await open(browser, `${server.origin}/${name}`);
      return { page, bytes: await codeBytes(browser, `${server.origin}/${name}`) - base };
    }));
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP + rounds; round++) {
      for (const [i, { page }] of [ours, peer].entries()) {
        const time = await page.evaluate((count) => globalThis.draw!(count), POINTS);
        if (round >= WARM_UP) times[i].push(time);
      }
    }
    return [
      row("100,000 points to first paint, ms", median(times[0]), median(times[1])),
      row(
        `script time of ${MOVES} pointer moves, ms`,
        await moveOver(ours.page, seconds),
        await moveOver(peer.page, seconds),
      ),
      row("code on a page, bytes gzip", ours.bytes, peer.bytes),
    ];
  } finally {
    await browser.close();
  }
}

function row(what: string, ours: number, peer: number) {
  const ratio = ours / peer;
  return {
    what,
    ours: Math.round(ours),
    peer: Math.round(peer),
    ratio: ratio.toFixed(2),
    target: MAX_RATIO,
    met: ratio <= MAX_RATIO,
  };
}

/** Serves the fixture with the site's stylesheets. */
async function serveFixture() {
  const app = new App().use(staticFiles()).fsRoutes();
  const builder = new Builder({ root: `${import.meta.dirname}/chart_fixture` });
  const apply = await builder.build({ mode: "production", snapshot: "memory" });
  apply(app);
  const handler = app.handler();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    return pathname.endsWith(".css") ? stylesheet(pathname) : handler(request);
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function stylesheet(pathname: string): Promise<Response> {
  const css = await Deno.readTextFile(new URL(`../static/styles${pathname}`, import.meta.url));
  return new Response(css, { headers: { "content-type": "text/css" } });
}

async function open(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1_000, height: 600 },
  });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  return page;
}

/**
 * Moves the mouse over the plot once per frame and returns the script time of {@linkcode MOVES} moves.
 * A slow page receives fewer moves, so the result is computed from the time per received move.
 */
async function moveOver(page: Page, seconds: number): Promise<number> {
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const scriptTime = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ScriptDuration")!.value * 1_000;
  };
  await page.evaluate(() => {
    globalThis.moves = 0;
    addEventListener("mousemove", () => globalThis.moves++, { capture: true, passive: true });
  });
  const before = await scriptTime();
  const start = performance.now();
  for (let move = 0; performance.now() < start + seconds * 1_000; move++) {
    await page.mouse.move(500 + 380 * Math.sin(move / 40), 150 + 60 * Math.sin(move / 23));
    const next = start + (move + 1) * 1_000 / 60;
    await new Promise((done) => setTimeout(done, Math.max(0, next - performance.now())));
  }
  const received = await page.evaluate(() => globalThis.moves);
  return (await scriptTime() - before) / received * MOVES;
}

/** Returns the gzipped size of all scripts that a page loads. */
async function codeBytes(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const scripts: Promise<Uint8Array>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.body());
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(scripts)).map((code) => gzipSync(code).length);
  await context.close();
  return bytes.reduce((sum, size) => sum + size, 0);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

if (import.meta.main) console.table(await run());
