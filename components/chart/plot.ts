/** Line, area and bar charts, drawn on a canvas with uPlot. */
import uPlot from "uplot";
import type { Formatters, SeriesSet } from "../../lib/features/chart/mod.ts";
import {
  axisStyle,
  HIGHLIGHT_HEIGHT,
  labelAxis,
  lonePoints,
  smallestStep,
  valueAxis,
  valueRange,
  watchTheme,
} from "./axes.ts";
import type { Drawing } from "./Explorer.tsx";
import { barSeries, groupWidth, lineSeries } from "./series_options.ts";

/** The radius of a point under the pointer, in CSS pixels (spec 8). */
const HOVER_RADIUS = 5;

export interface PlotInput {
  type: "line" | "area" | "bar";
  set: SeriesSet;
  /** Draws straight lines without points, for long series. */
  plain: boolean;
  height: number;
  formatters: Formatters;
}

export interface Plot extends Drawing {
  /** Draws new data, labels or a new size; the type and the colours must not change. */
  update(input: PlotInput): void;
  destroy(): void;
}

/** Draws with uPlot into `host`, which must be in the document. Browser only. */
export function createPlot(host: HTMLElement, initial: PlotInput): Plot {
  const { type } = initial;
  let input = initial;
  let step = smallestStep(input.set);
  let lone = lonePoints(input.set);
  let highlighted: number | null = null;
  let style = axisStyle(host);

  const { series } = input.set;
  const { axis, rightPadding } = labelAxis(() => input.set, () => step, () => style);
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: input.height,
      padding: [12, rightPadding, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        dataIdx: () => highlighted!,
        points: type === "bar" ? { show: false } : { size: () => 2 * HOVER_RADIUS, width: () => 0 },
        bind: noHandlers(),
      },
      scales: {
        x: { time: false, range: xRange },
        y: { range: (_plot, min, max) => valueRange(min, max, type !== "line") },
      },
      axes: [
        axis,
        valueAxis(() => input.formatters.ticks, () => style),
      ],
      series: [
        {},
        ...series.map((each, i) =>
          type === "bar"
            ? barSeries(each, i, series.length, () => step)
            : lineSeries(type, each, () => input.plain, () => lone[i])
        ),
      ],
    },
    dataOf(input.set),
    host,
  );
  const dateLabel = document.createElement("div");
  dateLabel.className = "chart-axis-highlight";
  dateLabel.hidden = true;
  dateLabel.ariaHidden = "true"; // the live region announces the same text
  plot.root.querySelector(".u-wrap")!.append(dateLabel);

  /** From the first to the last point, with room for bars. uPlot's default would widen a single point. */
  function xRange(): [number, number] {
    const { x } = input.set;
    const padding = type === "bar" || x.length === 1 ? step / 2 : 0;
    return [x[0] - padding, x.at(-1)! + padding];
  }

  const stopWatching = watchTheme(() => {
    style = axisStyle(host);
    plot.redraw(false, true);
  });

  function highlight(index: number | null, event?: PointerEvent) {
    highlighted = index;
    dateLabel.hidden = index === null;
    if (index === null) {
      plot.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    const { set, formatters } = input;
    const x = plot.valToPos(set.x[index], "x");
    const heights = set.series.flatMap(({ values }) => {
      const value = values[index];
      return value === null ? [] : [plot.valToPos(value, "y")];
    });
    const pointerY = event === undefined ? 0 : event.clientY - plot.rect.top;
    const distance = (y: number) => Math.abs(y - pointerY);
    const [y = 0] = heights.sort((one, other) => distance(one) - distance(other));
    plot.setCursor({ left: x, top: y }, false);

    const { left, top, height } = plot.bbox; // in canvas pixels
    const plotX = x + left / devicePixelRatio;
    const bottom = (top + height) / devicePixelRatio;
    dateLabel.textContent = formatters.label(set, index);
    dateLabel.style.transform = `translate(clamp(0px, ${plotX}px - 50%, ${plot.width}px - 100%), ${
      plot.height - HIGHLIGHT_HEIGHT
    }px)`;
    const reach = type === "bar" ? groupWidth(plot, step, series.length) / 2 : HOVER_RADIUS;
    const anchorY = y + top / devicePixelRatio;
    return { x: plotX, y: anchorY, reach, width: plot.width, height: bottom };
  }

  return {
    indexAt({ target, clientX }) {
      if (!plot.over.contains(target as Node)) return null;
      // uPlot detects scrolling and resizing, but not that the page has moved the plot.
      if (highlighted === null) plot.syncRect(true);
      return plot.posToIdx(clientX - plot.rect.left);
    },
    highlight,
    update(next) {
      const before = input;
      input = next;
      highlight(null);
      const width = host.clientWidth || plot.width; // 0 if hidden
      if (width !== plot.width || next.height !== plot.height) {
        plot.setSize({ width, height: next.height });
      }
      if (next.set !== before.set) {
        step = smallestStep(next.set);
        lone = lonePoints(next.set);
        plot.setData(dataOf(next.set));
      } else if (next.formatters !== before.formatters) plot.redraw(false, true);
    },
    destroy() {
      stopWatching();
      plot.destroy();
    },
  };
}

function dataOf({ x, series }: SeriesSet): uPlot.AlignedData {
  return [x, ...series.map(({ values }) => values)];
}

/** Turns off uPlot's mouse handlers, because the explorer handles touch and keys as well. */
function noHandlers(): uPlot.Cursor.Bind {
  const none = () => null;
  return {
    mousedown: none,
    mouseup: none,
    click: none,
    dblclick: none,
    mousemove: none,
    mouseleave: none,
    mouseenter: none,
  };
}
