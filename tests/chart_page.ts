/**
 * The chart gallery for browser tests: opens examples, reads charts, records what their canvases
 * draw, and sends touch events.
 *
 * @module
 */
import type { BrowserContext, CDPSession, Locator, Page } from "playwright-core";
import { valueFormatter } from "../lib/features/chart/mod.ts";
import { flowSample } from "../lib/features/chart/samples.ts";
import type { PageOptions } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

/** A time zone in which a UTC day, read as local time, is the day before. */
const timezoneId = "America/Los_Angeles";
export const WIDE = { viewport: { width: 1280, height: 900 }, timezoneId };
export const PHONE = { viewport: { width: 375, height: 700 }, timezoneId, hasTouch: true };

/** The accessible names of the gallery's examples. */
const NAMES = {
  line: "Balance",
  bar: "Daily flow",
  area: "Flow as an area",
  doughnut: "Income by kind",
  minutes: "Load",
  loading: "Loading chart",
  empty: "Empty chart",
  error: "Failing chart",
  playground: "Playground",
};
type Example = keyof typeof NAMES;
const NOT_PLOTTED: Example[] = ["doughnut", "loading", "empty", "error"];

/**
 * Serves the site with a browser for the tests of one file. `test` opens the gallery with only some
 * examples, waits until they are ready, and passes the first one. Canvas calls are recorded.
 *
 * @example
 * ```ts
 * const { test } = await servedCharts();
 * test("End moves to the last point", "bar,line", async (chart) => {
 *   await chart.plot.press("End");
 *   assertEquals(await chart.title(), "31 Mar 2026");
 * });
 * ```
 */
export async function servedCharts() {
  const { site, browser } = await servedSite();
  const galleryUrl = site.services.surfaces.url("workbench", "/dev/charts")!;
  const openCharts = (
    name: string,
    only: string,
    fn: (...args: [...Parameters<ChartTest>, t: Deno.TestContext]) => Promise<void>,
    { context, ...options }: PageOptions = {},
  ) => {
    const all = { ...options, context: { ...WIDE, ...context } };
    withoutMotion(browser)(name, all, async (page, context, t) => {
      await page.addInitScript(recordCanvas);
      await page.addInitScript(haveInvalidLanguage);
      await page.goto(`${galleryUrl}?only=${only}`);
      const charts = only.split(",").map((example) => chartOf(page, example as Example));
      for (const chart of charts) await chart.ready();
      await fn(charts[0], page, context, t);
    });
  };
  return {
    site,
    browser,
    galleryUrl,
    test: (name: string, only: string, fn: ChartTest, options?: PageOptions) =>
      openCharts(name, only, fn, options),
    /** Registers a test whose steps use the same page one after the other, which is faster. */
    testTogether: (
      name: string,
      only: string,
      add: (step: (name: string, fn: ChartTest) => void) => void,
      options?: PageOptions,
    ) =>
      openCharts(name, only, async (chart, page, context, t) => {
        const steps: [name: string, fn: ChartTest][] = [];
        add((...step) => steps.push(step));
        for (const [name, fn] of steps) {
          await t.step(name, async () => await fn(chart, page, context));
        }
      }, options),
  };
}

type ChartTest = (chart: ChartPage, page: Page, context: BrowserContext) => Promise<void>;

export type ChartPage = ReturnType<typeof chartOf>;

/** Returns the parts of an example that the page shows. */
export function chartOf(page: Page, example: Example) {
  const figure = page.getByRole("figure", { name: NAMES[example], exact: true });
  const plotArea = figure.locator(".u-over");
  const tooltip = figure.locator(".chart-tooltip");
  return {
    figure,
    plot: figure.getByRole("application"),
    /** The area between the axes. */
    plotArea,
    tooltip,
    axisHighlight: figure.locator(".chart-axis-highlight"),
    status: figure.getByRole("status"),
    drawn: () => plotArea.waitFor(),
    /** Waits until the chart is hydrated, and drawn if it has data. */
    async ready() {
      await figure.and(page.locator("[data-hydrated]")).waitFor();
      if (!NOT_PLOTTED.includes(example)) await plotArea.waitFor();
    },
    title: () => tooltip.locator(".chart-tooltip-title").innerText(),
    values: () => tooltip.locator(".chart-tooltip-value").allInnerTexts(),
    dates: () => figure.locator("tbody th").allTextContents(),
    clickPill: (text: string) => figure.locator(".chart-pill").filter({ hasText: text }).click(),
    /** Moves the mouse to a fraction of the width of the plot area. */
    async hoverAt(fraction: number) {
      await plotArea.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await plotArea.boundingBox())!;
      await page.mouse.move(x + width * fraction, y + height / 2);
      return x + width * fraction;
    },
  };
}

export const dollars = valueFormatter({ currency: "USD" });

/** Returns the texts of a row of the flow sample by its index, which may be negative. */
export const flowTexts = (index: number, sample = flowSample()) =>
  sample.datasets.map(({ data }) => dollars(data.at(index)!));

export const style = (locator: Locator, name: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);

/** Returns touch input by debugger events, so that the browser decides what scrolls. */
export function fingerOf(session: CDPSession) {
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x, y }],
    });
  return {
    async tap(x: number, y: number) {
      await send("touchStart", x, y);
      await send("touchEnd");
    },
    async slide([x, y]: [number, number], [toX, toY]: [number, number]) {
      await send("touchStart", x, y);
      for (let step = 1; step <= 12; step++) {
        await send("touchMove", x + (toX - x) * step / 12, y + (toY - y) * step / 12);
      }
      await send("touchEnd");
    },
  };
}

/** A call that a canvas received, with the state of its context. */
interface CanvasCall {
  name: string;
  args: unknown[];
  font?: string;
  stroke?: string;
  fill?: string;
  /** True if the canvas was in the page. */
  connected?: boolean;
  /** The edges of a horizontal text, and the width of its canvas, in CSS pixels. */
  text?: { left: number; right: number; bottom: number; available: number };
}

declare global {
  var canvasCalls: CanvasCall[];
}

/** Sets a language that browsers have on systems without a locale. Runs in the page. */
function haveInvalidLanguage(): void {
  const language = { configurable: true, value: "en-US@posix" };
  Object.defineProperty(navigator, "language", language);
}

/** Records the calls that canvases and paths receive. Runs in the page. */
function recordCanvas(): void {
  globalThis.canvasCalls = [];
  const record = <T extends object>(
    prototype: T,
    names: (keyof T & string)[],
    state?: (target: T, args: unknown[]) => Partial<CanvasCall>,
  ) => {
    for (const name of names) {
      const method = prototype[name] as (...args: unknown[]) => unknown;
      prototype[name] = function (this: T, ...args: unknown[]) {
        globalThis.canvasCalls.push({ name, args, ...state?.(this, args) });
        return method.apply(this, args);
      } as T[typeof name];
    }
  };
  record(Path2D.prototype, ["bezierCurveTo", "lineTo", "arc", "roundRect"]);
  record(
    CanvasRenderingContext2D.prototype,
    ["fillText", "stroke", "fill"],
    (context, args) => ({
      font: context.font,
      stroke: String(context.strokeStyle),
      fill: String(context.fillStyle),
      connected: context.canvas.isConnected,
      text: typeof args[0] === "string" ? edgesOf(context, args) : undefined,
    }),
  );

  function edgesOf(context: CanvasRenderingContext2D, [text, x, y]: unknown[]) {
    const { e, f } = context.getTransform();
    const { width, actualBoundingBoxDescent } = context.measureText(text as string);
    const shares: Record<string, number> = { center: 0.5, right: 1, end: 1 };
    const left = e + Number(x) - width * (shares[context.textAlign] ?? 0);
    const edges = {
      left,
      right: left + width,
      bottom: f + Number(y) + actualBoundingBoxDescent,
      available: context.canvas.width,
    };
    return Object.fromEntries(
      Object.entries(edges).map(([name, value]) => [name, value / devicePixelRatio]),
    ) as typeof edges;
  }
}

export const canvasCalls = (page: Page, name: string): Promise<CanvasCall[]> =>
  page.evaluate((name) => globalThis.canvasCalls.filter((call) => call.name === name), name);

export const drawnTexts = async (page: Page): Promise<string[]> =>
  (await canvasCalls(page, "fillText")).map(({ args }) => args[0] as string);

/** Deletes the recorded calls. */
export const clearCanvasCalls = (page: Page): Promise<unknown> =>
  page.evaluate(() => globalThis.canvasCalls = []);
