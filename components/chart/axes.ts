/** The axes of uPlot charts: their style, labels and ranges, and the steps between points. */
import type uPlot from "uplot";
import type { SeriesSet } from "../../lib/features/chart/series.ts";
import { categoryTicks, type Ticks, timeTicks } from "../../lib/features/chart/ticks.ts";
import { DAY_MS } from "../../lib/base/time.ts";

const DARK = "(prefers-color-scheme: dark)";
const NARROW = "(max-width: 639.98px)";
const FONT_SIZE = 11; // spec 2.5
/** Space for one date in CSS pixels. */
const DATE_WIDTH = 80;
/** Additional space for each label below 640 px, where labels thin out (spec 8). */
const NARROW_STRETCH = 1.3;
const LABEL_HEIGHT = 24;
/** Height of the row below the labels for the highlighted one, so that it covers no other. */
export const HIGHLIGHT_HEIGHT = 22;
/** Space right of the plot, for points at its edge. */
const RIGHT_PADDING = 18;
/** The angle of labels that do not fit next to each other, in degrees. */
const SLANT = -45;
/** Width of a monospace character in CSS pixels. */
const CHARACTER_WIDTH = 0.62 * FONT_SIZE;

interface AxisStyle {
  text: string;
  grid: string;
  family: string;
}

/** Reads the style of an element. The grid's colour depends on the visitor's or system's theme. */
export function axisStyle(element: Element): AxisStyle {
  const { color: text, fontFamily: family } = getComputedStyle(element);
  const theme = document.documentElement.dataset.theme;
  const dark = theme === undefined ? matchMedia(DARK).matches : theme === "dark";
  return { text, family, grid: dark ? "rgba(255,255,255,0.06)" : "rgba(0,0,0,0.06)" };
}

/**
 * Calls `changed` when the theme may have changed, because a canvas must be redrawn then. Returns a
 * function that stops watching.
 */
export function watchTheme(changed: () => void): () => void {
  const system = matchMedia(DARK);
  system.addEventListener("change", changed);
  const attribute = new MutationObserver(changed);
  attribute.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    system.removeEventListener("change", changed);
    attribute.disconnect();
  };
}

/** Returns the x axis, and the space that its last label needs right of the plot. */
export function labelAxis(
  set: () => SeriesSet,
  step: () => number,
  style: () => AxisStyle,
): { axis: uPlot.Axis; rightPadding: () => number } {
  let ticks: Ticks = { at: [], labels: [] };
  let room = 0; // right of the last tick
  const axis: uPlot.Axis = {
    ...commonAxis(style),
    size: () => HIGHLIGHT_HEIGHT + (ticks.slanted ? slantedHeight(ticks.labels) : LABEL_HEIGHT),
    rotate: () => ticks.slanted ? SLANT : 0,
    gap: 8,
    grid: { show: false },
    splits: (plot, _axis, from, to) => {
      const width = plot.bbox.width / devicePixelRatio;
      const { axis, labels } = set();
      const stretch = matchMedia(NARROW).matches ? NARROW_STRETCH : 1;
      ticks = axis === "category"
        ? categoryTicks(labels, width, CHARACTER_WIDTH * stretch)
        : timeTicks(from, to, Math.round(width / DATE_WIDTH / stretch), step());
      room = (to - (ticks.at.at(-1) ?? to)) / (to - from) * width;
      return ticks.at;
    },
    values: () => ticks.labels,
  };
  const rightPadding = () => {
    const half = ticks.slanted ? 0 : (ticks.labels.at(-1) ?? "").length * CHARACTER_WIDTH / 2;
    return Math.max(RIGHT_PADDING, Math.ceil(half - room));
  };
  return { axis, rightPadding };
}

/** Returns the height that the longest slanted label needs. */
function slantedHeight(labels: string[]): number {
  const longest = Math.max(...labels.map(({ length }) => length));
  const diagonal = longest * CHARACTER_WIDTH + FONT_SIZE;
  return Math.ceil(diagonal * Math.SQRT1_2) + 14;
}

/** Returns the y axis, as wide as its longest tick label. */
export function valueAxis(
  format: () => (ticks: number[]) => string[],
  style: () => AxisStyle,
): uPlot.Axis {
  return {
    ...commonAxis(style),
    space: 44,
    gap: 10,
    grid: { stroke: () => style().grid, width: 1 },
    values: (_plot, splits) => format()(splits),
    size: (_plot, values) => {
      const length = Math.max(3, ...(values ?? []).map((value) => value?.length ?? 0));
      return Math.ceil(length * CHARACTER_WIDTH) + 12;
    },
  };
}

function commonAxis(style: () => AxisStyle): uPlot.Axis {
  return {
    stroke: () => style().text,
    font: `${FONT_SIZE}px ${style().family}`,
    ticks: { show: false },
    border: { show: false },
  };
}

/** Returns the range of the y axis. Bars and areas include zero; a line fills the height. */
export function valueRange(
  min: number | null,
  max: number | null,
  fromZero: boolean,
): [number, number] {
  if (min === null || max === null) return [0, 1];
  const [low, high] = fromZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  const padding = low === high ? Math.abs(low) / 2 : (high - low) * 0.08;
  return padding === 0
    ? [0, 1]
    : [fromZero && low === 0 ? 0 : low - padding, fromZero && high === 0 ? 0 : high + padding];
}

/** Returns the smallest distance between two points; for a single point, a day or one category. */
export function smallestStep({ axis, x }: SeriesSet): number {
  let step = Infinity;
  for (let i = 1; i < x.length; i++) step = Math.min(step, x[i] - x[i - 1]);
  return step < Infinity ? step : axis === "time" ? DAY_MS : 1;
}

/** Returns, for each series, the indices of points between two gaps, which no line connects. */
export function lonePoints({ series }: SeriesSet): number[][] {
  return series.map(({ values }) => {
    const lone: number[] = [];
    const isGap = (i: number) => (values[i] ?? null) === null;
    for (let i = 0; i < values.length; i++) {
      if (!isGap(i) && isGap(i - 1) && isGap(i + 1)) lone.push(i);
    }
    return lone;
  });
}
