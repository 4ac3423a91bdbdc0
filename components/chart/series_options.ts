/** The look of lines, areas and bars in uPlot charts. */
import uPlot from "uplot";
import type { Series } from "../../lib/features/chart/series.ts";

/** The radius of a point, in CSS pixels (spec 8). */
const POINT_RADIUS = 3;
/** Opacity of the fill under a line and of an area (spec 8). */
const FILL = { line: 0.1, area: 0.2 } as const;
/** The share of its column that a group of bars fills. */
const GROUP_FILL = 0.72;
const MAX_BAR_WIDTH = 56;

/** Returns a translucent colour. Canvases of browsers from before 2024 know no `color-mix()`. */
function translucent(color: string, opacity: number): string {
  const [, hex] = /^#([\da-f]{6})$/i.exec(color) ?? [];
  if (hex === undefined) return `color-mix(in srgb, ${color} ${100 * opacity}%, transparent)`;
  const [red, green, blue] = hex.match(/../g)!.map((digits) => parseInt(digits, 16));
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
}

/**
 * Returns a series as a smooth line or area with points.
 *
 * @param plain whether to draw straight lines without points instead
 * @param lonePoints indices of the points to draw even where there is no room for all of them
 */
export function lineSeries(
  type: "line" | "area",
  { color }: Series,
  plain: () => boolean,
  lonePoints: () => number[],
): uPlot.Series {
  const linear = uPlot.paths.linear!();
  const spline = uPlot.paths.spline!();
  return {
    stroke: color,
    width: 2,
    fill: translucent(color, FILL[type]),
    paths: (...args) => (plain() ? linear : spline)(...args),
    points: {
      size: 2 * POINT_RADIUS,
      width: 0,
      stroke: color,
      fill: color,
      show: true,
      filter: (plot) => !plain() && hasRoomForPoints(plot) ? null : lonePoints(),
    },
  };
}

function hasRoomForPoints(plot: uPlot): boolean {
  return plot.bbox.width / devicePixelRatio / plot.data[0].length >= 2 * POINT_RADIUS;
}

/**
 * Returns a series as bars that start at zero, in a slot next to the bars of the other series.
 *
 * @param column distance between two groups, in units of the x axis
 */
export function barSeries(
  { color }: Series,
  slot: number,
  slots: number,
  column: () => number,
): uPlot.Series {
  return { fill: color, width: 0, points: { show: false }, paths: bars(slot, slots, column) };
}

/** Returns the width of the bars at one x, in CSS pixels. */
export function groupWidth(plot: uPlot, column: number, slots: number): number {
  const room = plot.valToPos(column, "x") - plot.valToPos(0, "x");
  return Math.min(room * GROUP_FILL, MAX_BAR_WIDTH * slots);
}

function bars(slot: number, slots: number, column: () => number): uPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const [xs, ys] = [plot.data[0], plot.data[series]];
    const group = groupWidth(plot, column(), slots) * devicePixelRatio;
    const width = group / slots;
    const gap = width > 6 ? devicePixelRatio : 0;
    const zero = plot.valToPos(0, "y", true);
    const fill = new Path2D();
    for (let i = first; i <= last; i++) {
      const y = ys[i];
      if (y === null || y === undefined) continue;
      const left = plot.valToPos(xs[i], "x", true) - group / 2 + slot * width;
      const end = plot.valToPos(y, "y", true);
      const top = Math.min(end, zero);
      const height = Math.max(Math.abs(end - zero), y === 0 ? 0 : 1);
      const radius = Math.min(3 * devicePixelRatio, width / 4, height);
      const corners = y < 0 ? [0, 0, radius, radius] : [radius, radius, 0, 0];
      if (width < 6) fill.rect(left, top, Math.max(1, width), height);
      else fill.roundRect(left + gap / 2, top, width - gap, height, corners);
    }
    return { fill, flags: 0 };
  };
}
