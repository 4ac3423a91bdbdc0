/** The doughnut chart with its rings and highlighted slices. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type Formatters,
  seriesColor,
  type SeriesSet,
  slicesOf,
  totalOf,
} from "../../lib/features/chart/mod.ts";
import { type Drawing, Explorer } from "./Explorer.tsx";
import { Dot } from "./parts.tsx";

const OUTER_RADIUS = 96;
const HOLE_RADIUS = 62;

export interface DoughnutProps {
  /** Each label is a slice and each series a ring; the first series is the outermost ring. */
  set: SeriesSet;
  height: number;
  formatters: Formatters;
  id: string | undefined;
  name: string;
}

/** A doughnut in SVG, which does not need JavaScript to be shown. */
export function Doughnut({ id, set, height, formatters, name }: DoughnutProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const rings = useMemo(() => ringsOf(set), [set]);
  const share = (ring: number, index: number) =>
    `${((rings[ring].find((slice) => slice.index === index)?.share ?? 0) * 100).toFixed(1)}%`;

  const drawing = useMemo((): Drawing => ({
    indexAt({ clientX, clientY }) {
      // The target of a touch event is always the element where the touch began.
      const index = document.elementFromPoint(clientX, clientY)?.getAttribute("data-index");
      return index ? Number(index) : null;
    },
    highlight(index) {
      setActive(index);
      const slice = rings.flat().find((slice) => slice.index === index);
      const host = svg.current!.parentElement!.getBoundingClientRect();
      const box = svg.current!.getBoundingClientRect();
      const scale = Math.min(box.width, box.height) / 200;
      return {
        x: box.left - host.left + box.width / 2 + (slice?.x ?? 0) * scale,
        y: box.top - host.top + box.height / 2 + (slice?.y ?? 0) * scale,
        reach: 0,
        width: host.width,
        height: host.height,
      };
    },
  }), [rings]);
  useEffect(() => setActive(null), [rings]);

  const [{ values }] = set.series;
  return (
    <Explorer {...{ id, name, set, formatters, drawing, share }} class="chart-doughnut">
      <svg
        class="full-width"
        ref={svg}
        viewBox="-100 -100 200 200"
        height={height}
        aria-hidden="true"
      >
        {rings.map((slices, ring) =>
          slices.map(({ index, path }) => (
            <path
              key={`${ring}-${index}`}
              class={index === active ? "chart-slice active" : "chart-slice"}
              data-index={index}
              d={path}
              fill={seriesColor(index)}
            />
          ))
        )}
        <text class="chart-total" text-anchor="middle" dy="0.35em">
          {formatters.value(totalOf(values))}
        </text>
      </svg>
      <ul class="chart-slices stack middle text-small" aria-hidden="true">
        {set.labels.map((_, index) => (
          <li key={index} class={index === active ? "active" : undefined}>
            <Dot color={seriesColor(index)} />
            <span>{formatters.label(set, index)}</span>
            <b class="mono digits">{formatters.value(values[index])}</b>
            <i class="mono digits muted">{share(0, index)}</i>
          </li>
        ))}
      </ul>
    </Explorer>
  );
}

function ringsOf({ series }: SeriesSet) {
  const width = (OUTER_RADIUS - HOLE_RADIUS) / series.length;
  return series.map(({ values }, ring) => {
    const gap = ring > 0 ? 1 : 0;
    return slicesOf(values, OUTER_RADIUS - ring * width, OUTER_RADIUS - (ring + 1) * width + gap);
  });
}
