import uPlot from "uplot";
import { DAY } from "../../lib/chart/dates.ts";
import {
  DENSE,
  FILL,
  GRID,
  HOVER_RADIUS,
  POINT_RADIUS,
  withAlpha,
} from "../../lib/chart/palette.ts";
import type { SeriesSet } from "../../lib/chart/series.ts";
import { type AxisLook, labelAxis, valueAxis } from "./axes.ts";
import { bars } from "./bars.ts";
import type { Plot, PlotInput } from "./plot_input.ts";
import { watchPointer } from "./pointer.ts";
import { isDark, watchTheme } from "./theme.ts";
import { createTooltip } from "./tooltip.ts";

/**
 * Draws with uPlot into `host`, which must be in the document. Browser only.
 *
 * @param moved hears which datum a pointer shows, `touched` whether by a finger
 */
export function createPlot(
  host: HTMLElement,
  first: PlotInput,
  moved: (index: number | null, touched: boolean) => void,
): Plot {
  let input = first;
  let step = smallestStep(input.set);
  let lone = lonePoints(input.set);
  let shown: number | null = null;
  let dark = isDark();
  let text = getComputedStyle(host).color;
  const { type } = input;
  const tooltip = createTooltip(host);
  const mark = document.createElement("div");
  mark.className = "chart-axis-mark";
  mark.hidden = true;
  mark.ariaHidden = "true";

  const isDense = () => input.set.x.length > DENSE;
  const hasRoom = (plot: uPlot) =>
    plot.bbox.width / devicePixelRatio / input.set.x.length >= 2 * POINT_RADIUS;
  const linear = uPlot.paths.linear!();
  const spline = uPlot.paths.spline!();
  const look: AxisLook = {
    text: () => text,
    grid: () => GRID[dark ? "dark" : "light"],
    family: getComputedStyle(host).fontFamily,
  };

  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: input.height,
      padding: [12, 18, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false, setScale: false },
        dataIdx: () => shown!,
        points: type === "bar" ? { show: false } : { size: () => 2 * HOVER_RADIUS, width: () => 0 },
        bind: unbound(),
      },
      scales: {
        x: { time: false, range: (_plot, min, max) => padded(min, max) },
        y: { range: (_plot, min, max) => valueRange(min, max, type !== "line") },
      },
      axes: [
        labelAxis(() => input.set, () => step, look),
        valueAxis(() => input.texts.ticks, look),
      ],
      series: [
        {},
        ...input.set.series.map(({ color }, i): uPlot.Series =>
          type === "bar"
            ? {
              fill: color,
              width: 0,
              points: { show: false },
              paths: bars(i, input.set.series.length, () => step),
            }
            : {
              stroke: color,
              width: 2,
              fill: withAlpha(color, FILL[type]),
              paths: (...args) => (isDense() ? linear : spline)(...args),
              points: {
                size: 2 * POINT_RADIUS,
                width: 0,
                stroke: color,
                fill: color,
                show: true,
                filter: (plot) => !isDense() && hasRoom(plot) ? null : lone[i],
              },
            }
        ),
      ],
    },
    dataOf(input.set),
    host,
  );
  plot.root.querySelector(".u-wrap")!.append(mark);

  function padded(min: number, max: number): [number, number] {
    const pad = type === "bar" || min === max ? step / 2 : 0;
    return [min - pad, max + pad];
  }

  /** @param pointerY in the plot; the tooltip stands beside the series that is nearest to it */
  function show(index: number | null, pointerY = 0): void {
    shown = index;
    mark.hidden = index === null;
    if (index === null) {
      tooltip.hide();
      plot.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    const { set } = input;
    const x = plot.valToPos(set.x[index], "x");
    const heights = set.series.flatMap(({ values }) => {
      const value = values[index];
      return value === null ? [] : [plot.valToPos(value, "y")];
    });
    const distance = (y: number) => Math.abs(y - pointerY);
    const y = heights.reduce((best, y) => distance(y) < distance(best) ? y : best, heights[0] ?? 0);
    plot.setCursor({ left: x, top: y }, false);

    const { left, top, width, height } = plot.bbox;
    const ratio = devicePixelRatio;
    const title = input.texts.label(set, index);
    tooltip.show({
      title,
      rows: set.series.map(({ label, color, values }) => (
        { label, color, value: input.texts.value(values[index]) }
      )),
    }, {
      x: x + left / ratio,
      y: y + top / ratio,
      width: plot.width,
      height: (top + height) / ratio,
    });
    mark.textContent = title;
    mark.style.transform = `translate(clamp(0px, ${x + left / ratio}px - 50%, ` +
      `${(left + width) / ratio + 18}px - 100%), ${(top + height) / ratio + 4}px)`;
  }

  const stopPointer = watchPointer(plot.over, {
    show(event) {
      if (shown === null) plot.syncRect(true); // scrolling and resizing uPlot notices by itself
      const { left, top } = plot.rect;
      const index = plot.posToIdx(event.clientX - left);
      show(index, event.clientY - top);
      moved(index, event.pointerType === "touch");
    },
    hide() {
      show(null);
      moved(null, false);
    },
  });
  const stopTheme = watchTheme(() => {
    dark = isDark();
    text = getComputedStyle(host).color;
    plot.redraw(false, true);
  });
  const resize = new ResizeObserver(() => {
    if (host.clientWidth === 0 || host.clientWidth === plot.width) return;
    show(null);
    plot.setSize({ width: host.clientWidth, height: input.height });
  });
  resize.observe(host);

  return {
    update(next) {
      const before = input;
      input = next;
      show(null);
      if (next.height !== before.height) {
        plot.setSize({ width: plot.width, height: next.height });
      }
      if (next.set !== before.set) {
        step = smallestStep(next.set);
        lone = lonePoints(next.set);
        plot.setData(dataOf(next.set));
      } else plot.redraw(false, true);
    },
    show,
    destroy() {
      stopPointer();
      stopTheme();
      resize.disconnect();
      tooltip.remove();
      plot.destroy();
    },
  };
}

function dataOf({ x, series }: SeriesSet): uPlot.AlignedData {
  return [x, ...series.map(({ values }) => values)];
}

/** uPlot's own mouse handling stays off: ours knows fingers and keys as well. */
function unbound(): uPlot.Cursor.Bind {
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

/** Bars and areas stand on zero; a line fills the height. */
function valueRange(min: number | null, max: number | null, fromZero: boolean): [number, number] {
  if (min === null || max === null) return [0, 1];
  const [low, high] = fromZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) / 2, low + Math.abs(low) / 2];
  const pad = (high - low) * 0.08;
  return [fromZero && low === 0 ? 0 : low - pad, fromZero && high === 0 ? 0 : high + pad];
}

/** The data's own step on the x axis: the smallest distance between two of them. */
function smallestStep({ axis, x }: SeriesSet): number {
  let step = Infinity;
  for (let i = 1; i < x.length; i++) step = Math.min(step, x[i] - x[i - 1]);
  return step < Infinity ? step : axis === "time" ? DAY : 1;
}

/** A point between two gaps has no line to be seen by, so it is drawn wherever points are not. */
function lonePoints({ series }: SeriesSet): number[][] {
  return series.map(({ values }) => {
    const lone: number[] = [];
    for (let i = 0; i < values.length; i++) {
      const alone = values[i] !== null && (values[i - 1] ?? null) === null &&
        (values[i + 1] ?? null) === null;
      if (alone) lone.push(i);
    }
    return lone;
  });
}
