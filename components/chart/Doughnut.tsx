import { useEffect, useRef, useState } from "preact/hooks";
import { arcsOf, seriesColor, type SeriesSet } from "../../lib/chart/mod.ts";
import { useElementId } from "./hooks.ts";
import { KeyHint, stepByKey } from "./KeyHint.tsx";
import { Dot } from "./Legend.tsx";
import type { Texts } from "./plot_input.ts";
import { watchPointer } from "./pointer.ts";
import { createTooltip, type Tooltip } from "./tooltip.ts";

const OUTER = 96;
const HOLE = 62;

export interface DoughnutProps {
  /** Each label is a slice, each series a ring, the first one outermost. */
  set: SeriesSet;
  height: number;
  texts: Texts;
  /** The accessible name. */
  name: string;
  onShow: (index: number | null) => void;
}

/** A doughnut in SVG, which stands without scripts too. */
export function Doughnut({ set, height, texts, name, onShow }: DoughnutProps) {
  const host = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const tooltip = useRef<Tooltip | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const id = useElementId();
  const width = (OUTER - HOLE) / set.series.length;
  const rings = set.series.map(({ values }, ring) =>
    arcsOf(values, OUTER - ring * width, OUTER - (ring + 1) * width + (ring > 0 ? 1 : 0))
  );
  const share = (ring: number, index: number) =>
    rings[ring]?.find((arc) => arc.index === index)?.share ?? 0;

  const show = (index: number | null, told = true) => {
    setActive(index);
    if (told) onShow(index);
    if (index === null) return tooltip.current?.hide();
    const arc = rings.flat().find((arc) => arc.index === index);
    const stage = host.current!.getBoundingClientRect();
    const box = svg.current!.getBoundingClientRect();
    const scale = Math.min(box.width, box.height) / 200;
    tooltip.current?.show({
      title: texts.label(set, index),
      rows: set.series.map(({ label, values }, ring) => ({
        label,
        color: seriesColor(index),
        value: `${texts.value(values[index])} (${percent(share(ring, index))})`,
      })),
    }, {
      x: box.left - stage.left + box.width / 2 + (arc?.x ?? 0) * scale,
      y: box.top - stage.top + box.height / 2 + (arc?.y ?? 0) * scale,
      width: stage.width,
      height: stage.height,
    });
  };

  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    tooltip.current = createTooltip(host.current!);
    const stop = watchPointer(svg.current!, {
      show(event) {
        const slice = document.elementFromPoint(event.clientX, event.clientY);
        const index = slice?.getAttribute("data-index") ?? null;
        latest.current(index === null ? null : Number(index), event.pointerType === "touch");
      },
      hide: () => latest.current(null, false),
    });
    return () => {
      stop();
      tooltip.current?.remove();
    };
  }, []);
  useEffect(() => latest.current(null, false), [set]);

  const sum = set.series[0].values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0);
  return (
    <>
      <div
        ref={host}
        class="chart-doughnut"
        role="application"
        aria-roledescription="chart"
        aria-label={name}
        aria-describedby={id}
        tabindex={0}
        onKeyDown={(event) => stepByKey(event, active, set.x.length, show)}
        onBlur={() => active !== null && show(null)}
      >
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
          <text class="chart-sum" text-anchor="middle" dy="0.35em">{texts.value(sum)}</text>
        </svg>
        <ul class="chart-slices" aria-hidden="true">
          {set.labels.map((_, index) => (
            <li key={index} class={index === active ? "active" : undefined}>
              <Dot color={seriesColor(index)} />
              <span>{texts.label(set, index)}</span>
              <b>{texts.value(set.series[0].values[index])}</b>
              <i>{percent(share(0, index))}</i>
            </li>
          ))}
        </ul>
      </div>
      <KeyHint id={id} />
    </>
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
