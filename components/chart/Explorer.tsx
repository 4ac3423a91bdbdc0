/** The interaction with a chart: the highlighted point, its tooltip, and its announcement to screen readers. */
import type { ComponentChildren } from "preact";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Formatters, seriesColor, type SeriesSet } from "../../lib/features/chart/mod.ts";
import { useAnnouncement } from "./hooks.ts";
import { nextIndex, usePointer } from "./input.ts";

/** Distance of the tooltip from its point or bars in CSS pixels. */
const TOOLTIP_DISTANCE = 9;
/** Below this width, the tooltip is an overlay (spec 8). */
const NARROW = 640;
/** On narrow screens, the tooltip is an overlay of less than this share of the screen's height. */
const OVERLAY_SHARE = 0.4;

/** The point of a tooltip, and the size of the box that the tooltip must stay in, in CSS pixels. */
interface TooltipAnchor {
  x: number;
  y: number;
  /** The horizontal distance from x that the tooltip must not cover. */
  reach: number;
  width: number;
  height: number;
  /** True if an overlay at the bottom of the screen could hide the point. */
  low?: boolean;
}

export interface Drawing {
  /** Returns the index of the point under a pointer, or null. */
  indexAt(event: PointerEvent): number | null;
  /** Highlights a point, or none; returns the tooltip's anchor, relative to the explorer. */
  highlight(index: number | null, event?: PointerEvent): TooltipAnchor | undefined;
}

interface ExplorerProps {
  /** Id of the keyboard hint; undefined before hydration. */
  id: string | undefined;
  class: string;
  name: string;
  set: SeriesSet;
  formatters: Formatters;
  drawing: Drawing | null;
  /** Formats a value's share of its series. If set, each point has its own colour. */
  share?: (series: number, index: number) => string;
  onResize?: () => void;
  children: ComponentChildren;
}

interface Highlight {
  index: number;
  anchor: TooltipAnchor | undefined;
  /** The drawing and the data that the index is valid for. */
  drawing: Drawing | null;
  set: SeriesSet;
}

/** Highlights points by mouse, touch and keyboard, with a tooltip and a live region. */
export function Explorer(props: ExplorerProps) {
  const { id, set, formatters, drawing, share, onResize } = props;
  const host = useRef<HTMLDivElement>(null);
  /** Only the tooltip reads it while rendering, so a pointer move renders nothing else. */
  const last = useSignal<Highlight | null>(null);
  const [announcement, announce] = useAnnouncement();

  const isCurrent = (one: Highlight | null): one is Highlight =>
    one !== null && one.drawing === drawing && one.set === set;
  const highlighted = () => {
    const one = last.peek();
    return isCurrent(one) ? one : null;
  };
  const rows = (index: number): TooltipRow[] =>
    set.series.map(({ label, color, values }, i) => {
      const value = formatters.value(values[index]);
      return share === undefined
        ? { label, color, value }
        : { label, color: seriesColor(index), value: `${value} (${share(i, index)})` };
    });
  const highlight = (index: number | null, event?: PointerEvent) => {
    if (index === null && highlighted() === null) return;
    const anchor = drawing?.highlight(index, event);
    if (anchor !== undefined && innerWidth < NARROW) {
      const y = host.current!.getBoundingClientRect().top + anchor.y;
      anchor.low = y > innerHeight * (1 - OVERLAY_SHARE);
    }
    last.value = index === null ? null : { index, anchor, drawing, set };
    if (event?.pointerType === "mouse") return; // mouse users can see the tooltip
    const values = index === null ? [] : rows(index).map(({ label, value }) => `${label} ${value}`);
    announce(index === null ? "" : `${formatters.label(set, index)}: ${values.join(", ")}`);
  };

  const latest = useRef({ highlight, onResize });
  latest.current = { highlight, onResize };
  useEffect(() => {
    const element = host.current!;
    const dismiss = ({ target }: PointerEvent) => {
      if (!element.contains(target as Node)) latest.current.highlight(null);
    };
    document.addEventListener("pointerdown", dismiss, true);
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      latest.current.highlight(null);
      latest.current.onResize?.();
    });
    observer.observe(element);
    return () => {
      last.value = null; // the blur event that follows must not use the removed drawing
      document.removeEventListener("pointerdown", dismiss, true);
      observer.disconnect();
    };
  }, []);

  const contentOf = (one: Highlight | null) =>
    isCurrent(one) && one.anchor !== undefined
      ? { anchor: one.anchor, title: formatters.label(set, one.index), rows: rows(one.index) }
      : null;
  return (
    <>
      <div
        ref={host}
        class={props.class}
        role="application"
        aria-roledescription="chart"
        aria-label={props.name}
        aria-describedby={id}
        tabindex={0}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
          const next = nextIndex(event.key, highlighted()?.index ?? null, set.x.length);
          if (next === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          highlight(next);
        }}
        onBlur={() => highlight(null)}
        {...usePointer((event) =>
          event === null ? highlight(null) : highlight(drawing?.indexAt(event) ?? null, event)
        )}
      >
        {props.children}
        <Tooltip highlight={last} contentOf={contentOf} />
      </div>
      <p id={id} class="visually-hidden">
        Use the arrow keys, Home and End to move between points, and Escape to leave. A table with
        the data follows.
      </p>
      <p class="visually-hidden" role="status">{announcement}</p>
    </>
  );
}

interface TooltipRow {
  label: string;
  color: string;
  value: string;
}

interface TooltipProps {
  highlight: ReadonlySignal<Highlight | null>;
  contentOf: (
    highlight: Highlight | null,
  ) => { title: string; rows: TooltipRow[]; anchor: TooltipAnchor } | null;
}

/** Only the browser renders the tooltip, so scripts may set its styles. */
function Tooltip({ highlight, contentOf }: TooltipProps) {
  const content = contentOf(highlight.value);
  if (content === null) return null;
  const { title, rows, anchor } = content;
  return (
    // Hidden from screen readers because the live region announces the same text.
    <div
      class={anchor.low ? "chart-tooltip at-top" : "chart-tooltip"}
      aria-hidden="true"
      style={{
        transform: position(anchor),
        maxWidth: `calc(50% - ${anchor.reach + TOOLTIP_DISTANCE}px)`,
      }}
    >
      <div class="chart-tooltip-title">{title}</div>
      <div class="chart-tooltip-rows">
        {rows.map(({ label, color, value }, i) => (
          <div key={i} class="chart-tooltip-row">
            <span class="chart-tooltip-dot" style={{ backgroundColor: color }} />
            <span class="muted">{label}</span>
            <span class="chart-tooltip-value">{value}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * Places the tooltip next to its point, on the side with more room. Percentages are relative to the
 * tooltip's own size, so that nothing has to be measured while the pointer moves.
 */
function position({ x, y, reach, width, height }: TooltipAnchor): string {
  const distance = reach + TOOLTIP_DISTANCE;
  const beside = x > width / 2 ? `${x - distance}px - 100%` : `${x + distance}px`;
  return `translate(clamp(0px, ${beside}, ${width}px - 100%), ` +
    `clamp(0px, ${y}px - 50%, ${height}px - 100%))`;
}
