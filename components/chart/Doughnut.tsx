import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { arcsOf, seriesColor, type SeriesSet, totalOf } from "../../lib/chart/mod.ts";
import { type Drawing, Explorer } from "./Explorer.tsx";
import { Dot } from "./Legend.tsx";
import type { Texts } from "./plot_input.ts";

const OUTER = 96;
const HOLE = 62;

export interface DoughnutProps {
  /** Each label is a slice, each series a ring, the first one outermost. */
  set: SeriesSet;
  height: number;
  texts: Texts;
  /** As of {@linkcode Explorer}. */
  id: string | undefined;
  name: string;
}

/** A doughnut in SVG, which stands without scripts too. */
export function Doughnut({ id, set, height, texts, name }: DoughnutProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const rings = useMemo(() => ringsOf(set), [set]);
  const share = (ring: number, index: number) =>
    `${((rings[ring].find((arc) => arc.index === index)?.share ?? 0) * 100).toFixed(1)}%`;

  const drawing = useMemo((): Drawing => ({
    indexAt({ clientX, clientY }) { // not the event's target, which stays a finger's first one
      const index = document.elementFromPoint(clientX, clientY)?.getAttribute("data-index");
      return index ? Number(index) : null;
    },
    highlight(index) {
      setActive(index);
      const arc = rings.flat().find((arc) => arc.index === index);
      const stage = svg.current!.parentElement!.getBoundingClientRect();
      const box = svg.current!.getBoundingClientRect();
      const scale = Math.min(box.width, box.height) / 200;
      return {
        x: box.left - stage.left + box.width / 2 + (arc?.x ?? 0) * scale,
        y: box.top - stage.top + box.height / 2 + (arc?.y ?? 0) * scale,
        width: stage.width,
        height: stage.height,
      };
    },
  }), [rings]);
  useEffect(() => setActive(null), [rings]);

  const [{ values }] = set.series;
  return (
    <Explorer {...{ id, name, set, texts, drawing, share }} class="chart-doughnut">
      <svg ref={svg} viewBox="-100 -100 200 200" height={height} aria-hidden="true">
        {rings.map((arcs, ring) =>
          arcs.map(({ index, path }) => (
            <path
              key={`${ring}-${index}`}
              class={index === active ? "chart-slice active" : "chart-slice"}
              data-index={index}
              d={path}
              fill={seriesColor(index)}
            />
          ))
        )}
        <text class="chart-sum" text-anchor="middle" dy="0.35em">
          {texts.value(totalOf(values))}
        </text>
      </svg>
      <ul class="chart-slices" aria-hidden="true">
        {set.labels.map((_, index) => (
          <li key={index} class={index === active ? "active" : undefined}>
            <Dot color={seriesColor(index)} />
            <span>{texts.label(set, index)}</span>
            <b>{texts.value(values[index])}</b>
            <i>{share(0, index)}</i>
          </li>
        ))}
      </ul>
    </Explorer>
  );
}

function ringsOf({ series }: SeriesSet) {
  const width = (OUTER - HOLE) / series.length;
  return series.map(({ values }, ring) =>
    arcsOf(values, OUTER - ring * width, OUTER - (ring + 1) * width + (ring > 0 ? 1 : 0))
  );
}
