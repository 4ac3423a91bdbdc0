import type uPlot from "uplot";
import type { SeriesSet } from "../../lib/chart/series.ts";
import { categoryTicks, type Ticks, timeTicks } from "../../lib/chart/ticks.ts";

const NARROW = "(max-width: 639.98px)";
const FONT_SIZE = 11; // spec 2.5
/** Room that one date takes, in CSS pixels. */
const DATE_WIDTH = 80;
/** So much more room a label takes below 640 px, where they thin out (spec 8). */
const THIN = 1.3;
/** Of a monospace character by its size. */
const CHARACTER = 0.62 * FONT_SIZE;

/** The colours of text and grid at this moment, and the font. */
export interface AxisLook {
  text(): string;
  grid(): string;
  family: string;
}

/** The axis below: dates or categories, as many as there is room for. */
export function labelAxis(set: () => SeriesSet, step: () => number, look: AxisLook): uPlot.Axis {
  let ticks: Ticks = { at: [], labels: [] };
  return {
    ...common(look),
    size: 34,
    gap: 8,
    grid: { show: false },
    splits: (plot, _axis, from, to) => {
      const width = plot.bbox.width / devicePixelRatio;
      const { axis, labels } = set();
      const stretch = matchMedia(NARROW).matches ? THIN : 1;
      ticks = axis === "category"
        ? categoryTicks(labels, width, CHARACTER * stretch)
        : timeTicks(from, to, Math.round(width / DATE_WIDTH / stretch), step());
      return ticks.at;
    },
    values: () => ticks.labels,
  };
}

/** The axis at the left: as wide as its longest mark. */
export function valueAxis(format: () => (ticks: number[]) => string[], look: AxisLook): uPlot.Axis {
  return {
    ...common(look),
    space: 44,
    gap: 10,
    grid: { stroke: look.grid, width: 1 },
    values: (_plot, splits) => format()(splits),
    size: (_plot, values) =>
      Math.ceil(Math.max(3, ...(values ?? []).map((value) => value?.length ?? 0)) * CHARACTER) + 12,
  };
}

function common({ text, family }: AxisLook): uPlot.Axis {
  return {
    stroke: text,
    font: `${FONT_SIZE}px ${family}`,
    ticks: { show: false },
    border: { show: false },
  };
}
