import type uPlot from "uplot";

/** How much of its column a group of bars fills. */
const GROUP = 0.72;
const WIDEST = 56;

/**
 * The bars of one series beside those of the others, from zero upwards or downwards.
 *
 * @param slot which one in its group, of `slots`
 * @param column distance between two groups, in units of the x axis
 */
export function bars(slot: number, slots: number, column: () => number): uPlot.Series.PathBuilder {
  return (plot, series, first, last) => {
    const [xs, ys] = [plot.data[0], plot.data[series]];
    const room = plot.valToPos(column(), "x", true) - plot.valToPos(0, "x", true);
    const group = Math.min(room * GROUP, WIDEST * slots * devicePixelRatio);
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
