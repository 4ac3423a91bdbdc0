/** Line charts as SVG from the server, for tables and for print. */
import { createFormatters } from "../../lib/features/chart/mod.ts";
import { formatDay } from "../../lib/base/time.ts";

/** A coordinate with one decimal. */
const round = (value: number) => Math.round(value * 10) / 10;

/** The texts of coordinates, by tenths. They are kept, because making them takes most of the time of a drawing. */
const texts: string[] = [];

/** @param value at least 0, and at most the width of the largest drawing */
function textOf(value: number): string {
  const tenths = Math.round(value * 10);
  return texts[tenths] ??= String(tenths / 10);
}

/** Returns the path of a line in a box, with the lowest value at its bottom, and the line's end. */
function lineOf(values: number[], [width, height]: [number, number], [low, high]: number[]) {
  const span = high - low;
  let [path, x, y] = ["", "", ""];
  values.forEach((value, i) => {
    x = textOf(values.length === 1 ? width : i / (values.length - 1) * width);
    y = textOf(span === 0 ? height / 2 : height - (value - low) / span * height);
    path += (i === 0 ? "M" : "L") + x + " " + y;
  });
  return { path, x, y };
}

const boundsOf = (values: number[]) =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);

/** The width and height of a line in a table, in CSS pixels. */
const SPARK: [number, number] = [96, 22];

/** The lines that were drawn, by the list of their values, which nobody changes. */
const drawn = new WeakMap<number[], ReturnType<typeof lineOf>>();
const drawSpark = (values: number[]) => lineOf(values, SPARK, boundsOf(values));

/** A small line without axes, drawn by the server. Decorative: the page has the figures as text. */
export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return <span aria-hidden="true">–</span>;
  const { path, x, y } = drawn.getOrInsertComputed(values, drawSpark);
  const [width, height] = SPARK;
  return (
    <svg
      class="spark block"
      viewBox={`-1 -2 ${width + 4} ${height + 4}`}
      width={width + 4}
      height={height + 4}
      aria-hidden="true"
    >
      <path class="spark-line" d={path} />
      <circle cx={x} cy={y} r="2" />
    </svg>
  );
}

/** The width and height of the printed plot, in units of the drawing, and the space for the amounts at its left. */
const PLOT: [number, number] = [620, 190];
const LEFT = 64;

/**
 * A line chart drawn by the server, for print and for pages without scripts.
 *
 * @param days the days of the values, `YYYY-MM-DD`
 */
export function PrintedTrend(
  { days, values, label }: { days: string[]; values: number[]; label: string },
) {
  const [width, height] = PLOT;
  const ticks = niceTicks(boundsOf(values));
  const amounts = createFormatters({ currency: "USD" }, {
    axis: "time",
    daily: true,
    bin: undefined,
  })
    .ticks(ticks);
  const scale = [ticks[0], ticks.at(-1)!];
  const { path } = lineOf(values, PLOT, scale);
  return (
    <svg
      class="printed-trend"
      viewBox={`0 0 ${LEFT + width + 8} ${height + 36}`}
      role="img"
      aria-label={label}
    >
      {ticks.map((tick, i) => {
        const y = 8 + height - (tick - scale[0]) / (scale[1] - scale[0]) * height;
        return (
          <g key={tick}>
            <line class="grid" x1={LEFT} x2={LEFT + width} y1={round(y)} y2={round(y)} />
            <text x={LEFT - 8} y={round(y + 4)} text-anchor="end">{amounts[i]}</text>
          </g>
        );
      })}
      <path class="spark-line" transform={`translate(${LEFT} 8)`} d={path} />
      <text x={LEFT} y={height + 30}>{formatDay(days[0])}</text>
      <text x={LEFT + width} y={height + 30} text-anchor="end">{formatDay(days.at(-1)!)}</text>
    </svg>
  );
}

/** Returns three to six round values that enclose the bounds. */
export function niceTicks([low, high]: number[]): number[] {
  const span = high - low || Math.max(1, Math.abs(high) / 10);
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => span / step <= 4)!;
  const ticks: number[] = [];
  for (let i = Math.floor(low / step); ticks.length < 2 || (i - 1) * step < high; i++) {
    ticks.push(i * step);
  }
  return ticks;
}
