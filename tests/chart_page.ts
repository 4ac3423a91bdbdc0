/**
 * The chart gallery for browser tests: opens single examples, reads a chart, records what its
 * canvas draws, and sends touch events.
 *
 * @module
 */
import type { CDPSession, Locator, Page } from "playwright-core";
import { valueFormatter } from "../lib/chart/mod.ts";
import { flowSample } from "../lib/chart/samples.ts";
import type { Site } from "./site.ts";

/** A time zone in which a UTC day, read in local time, would be the day before. */
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
export type Example = keyof typeof NAMES;

/** The URL of the gallery with only these examples, or with all of them. */
export function galleryUrl(site: Site, ...examples: Example[]): string {
  const query = examples.length === 0 ? "" : `?only=${examples}`;
  return site.services.surfaces.url("workbench", `/dev/charts${query}`)!;
}

/** Opens the gallery with only these examples, waits until the first is drawn, and returns it. */
export async function openChart(
  site: Site,
  page: Page,
  example: Example,
  ...others: Example[]
): Promise<ChartPage> {
  await page.goto(galleryUrl(site, example, ...others));
  const chart = chartOf(page, example);
  await chart.drawn();
  return chart;
}

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

/** The texts of a row of the flow sample, by an index that may be negative. */
export const flowTexts = (index: number, sample = flowSample()) =>
  sample.datasets.map(({ data }) => dollars(data.at(index)!));

/** Reads a computed style. */
export const style = (locator: Locator, name: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);

/** Returns a finger that uses debugger events, so that the browser decides what scrolls. */
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

declare global {
  /** What canvases have drawn; see {@linkcode recordCanvas}. */
  var canvasLog: {
    curves: number;
    lines: number;
    radii: number[];
    bars: { x: number; y: number; width: number; height: number }[];
    texts: string[];
    /** Number of texts on canvases that are no longer in the page. */
    detachedTexts: number;
    fonts: string[];
    strokes: string[];
    fills: string[];
  };
}

/** Records what canvases draw. Runs in the page. */
export function recordCanvas(): void {
  const log: typeof globalThis.canvasLog = globalThis.canvasLog = {
    curves: 0,
    lines: 0,
    radii: [],
    bars: [],
    texts: [],
    detachedTexts: 0,
    fonts: [],
    strokes: [],
    fills: [],
  };
  const before = <T, K extends keyof T>(
    prototype: T,
    name: K,
    record: (...args: never[]) => void,
  ) => {
    const method = prototype[name] as (...args: unknown[]) => unknown;
    prototype[name] = function (this: T, ...args: unknown[]) {
      record.apply(this, args as never[]);
      return method.apply(this, args);
    } as T[K];
  };
  before(Path2D.prototype, "bezierCurveTo", () => log.curves++);
  before(Path2D.prototype, "lineTo", () => log.lines++);
  before(Path2D.prototype, "arc", (_x: number, _y: number, radius: number) => {
    log.radii.push(radius);
  });
  before(Path2D.prototype, "roundRect", (x: number, y: number, width: number, height: number) => {
    log.bars.push({ x, y, width, height });
  });
  const context = CanvasRenderingContext2D.prototype;
  before(context, "fillText", function (this: CanvasRenderingContext2D, text: string) {
    if (!this.canvas.isConnected) log.detachedTexts++;
    log.texts.push(text);
    log.fonts.push(this.font);
  });
  before(context, "stroke", function (this: CanvasRenderingContext2D) {
    log.strokes.push(String(this.strokeStyle));
  });
  before(context, "fill", function (this: CanvasRenderingContext2D) {
    log.fills.push(String(this.fillStyle));
  });
}
