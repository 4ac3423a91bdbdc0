import uPlot from "uplot";
import { type AxisLook, labelAxis, valueAxis } from "./axes.ts";
import { bars } from "./bars.ts";
import { dataOf, lonePoints, smallestStep, valueRange } from "./plot_data.ts";
import type { Plot, PlotInput } from "./plot_input.ts";
import { FILL, gridColor, watchTheme } from "./theme.ts";

/** CSS pixels (spec 8). */
const POINT_RADIUS = 3;
const HOVER_RADIUS = 5;

/** Draws with uPlot into `host`, which must be in the document. Browser only. */
export function createPlot(host: HTMLElement, first: PlotInput): Plot {
  let input = first;
  let step = smallestStep(input.set);
  let lone = lonePoints(input.set);
  let shown: number | null = null;
  let grid = gridColor();
  let text = getComputedStyle(host).color;
  const { type } = input;
  const mark = document.createElement("div");
  mark.className = "chart-axis-mark";
  mark.hidden = true;
  mark.ariaHidden = "true"; // the live region speaks for it

  const hasRoom = (plot: uPlot) =>
    plot.bbox.width / devicePixelRatio / input.set.x.length >= 2 * POINT_RADIUS;
  const linear = uPlot.paths.linear!();
  const spline = uPlot.paths.spline!();
  const look: AxisLook = {
    text: () => text,
    grid: () => grid,
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
        dataIdx: () => shown!,
        points: type === "bar" ? { show: false } : { size: () => 2 * HOVER_RADIUS, width: () => 0 },
        bind: unbound(),
      },
      scales: {
        x: { time: false, range: columns },
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
              fill: `color-mix(in srgb, ${color} ${FILL[type]}, transparent)`,
              paths: (...args) => (input.plain ? linear : spline)(...args),
              points: {
                size: 2 * POINT_RADIUS,
                width: 0,
                stroke: color,
                fill: color,
                show: true,
                filter: (plot) => !input.plain && hasRoom(plot) ? null : lone[i],
              },
            }
        ),
      ],
    },
    dataOf(input.set),
    host,
  );
  plot.root.querySelector(".u-wrap")!.append(mark);

  /** From the first datum to the last one, with all of their bars; uPlot would widen a lone one's. */
  function columns(): [number, number] {
    const { x } = input.set;
    const pad = type === "bar" || x.length === 1 ? step / 2 : 0;
    return [x[0] - pad, x.at(-1)! + pad];
  }

  const stopTheme = watchTheme(() => {
    grid = gridColor();
    text = getComputedStyle(host).color;
    plot.redraw(false, true);
  });

  const drawn: Plot = {
    indexAt({ target, clientX }) {
      if (!plot.over.contains(target as Node)) return null;
      if (shown === null) plot.syncRect(true); // scrolling and resizing uPlot notices by itself
      return plot.posToIdx(clientX - plot.rect.left);
    },
    highlight(index, event) {
      shown = index;
      mark.hidden = index === null;
      if (index === null) {
        plot.setCursor({ left: -10, top: -10 }, false);
        return;
      }
      const { set, texts } = input;
      const x = plot.valToPos(set.x[index], "x");
      const heights = set.series.flatMap(({ values }) => {
        const value = values[index];
        return value === null ? [] : [plot.valToPos(value, "y")];
      });
      const pointerY = event === undefined ? 0 : event.clientY - plot.rect.top;
      const distance = (y: number) => Math.abs(y - pointerY);
      const [y = 0] = heights.sort((one, other) => distance(one) - distance(other));
      plot.setCursor({ left: x, top: y }, false);

      const { left, top, height } = plot.bbox; // in the canvas's pixels
      const inside = x + left / devicePixelRatio;
      const foot = (top + height) / devicePixelRatio;
      mark.textContent = texts.label(set, index);
      mark.style.transform = `translate(clamp(0px, ${inside}px - 50%, ${plot.width}px - 100%), ${
        foot + 4
      }px)`;
      return { x: inside, y: y + top / devicePixelRatio, width: plot.width, height: foot };
    },
    update(next) {
      const before = input;
      input = next;
      drawn.highlight(null);
      const width = host.clientWidth || plot.width; // of a hidden one it is none
      if (width !== plot.width || next.height !== plot.height) {
        plot.setSize({ width, height: next.height });
      }
      if (next.set !== before.set) {
        step = smallestStep(next.set);
        lone = lonePoints(next.set);
        plot.setData(dataOf(next.set));
      } else if (next.texts !== before.texts) plot.redraw(false, true);
    },
    destroy() {
      stopTheme();
      plot.destroy();
    },
  };
  return drawn;
}

/** uPlot's own mouse handling stays off: the explorer's knows fingers and keys as well. */
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
