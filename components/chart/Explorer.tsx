import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { nextIndex, seriesColor, type SeriesSet } from "../../lib/chart/mod.ts";
import { useAnnouncement } from "./hooks.ts";
import type { Texts } from "./plot_input.ts";
import { usePointer } from "./pointer.ts";
import { type Place, Tooltip, type TooltipRow } from "./Tooltip.tsx";

/** What knows where its data lie. */
export interface Drawing {
  /** The datum under a pointer, null for none. */
  indexAt(event: PointerEvent): number | null;
  /**
   * Makes a datum stand out, or with null none.
   *
   * @param event of the pointer, where one asked for it
   * @returns where its tooltip belongs, in the explorer's element
   */
  highlight(index: number | null, event?: PointerEvent): Place | undefined;
}

export interface ExplorerProps {
  /** Of the hint on its keys; undefined until the island has come to life. */
  id: string | undefined;
  class: string;
  /** The accessible name. */
  name: string;
  set: SeriesSet;
  texts: Texts;
  /** Null while it is not there yet. */
  drawing: Drawing | null;
  /** Where each datum has its own colour and is a part of a whole: which part of a series'. */
  share?: (series: number, index: number) => string;
  /** Hears that there is another width. */
  onResize?: () => void;
  children: ComponentChildren;
}

interface Shown {
  index: number;
  place: Place | undefined;
  /** What it was shown of: on other ones it means nothing. */
  drawing: Drawing | null;
  set: SeriesSet;
}

/** Lets one datum after the other be looked at, by pointer, finger and key, with a tooltip. */
export function Explorer(props: ExplorerProps) {
  const { id, set, texts, drawing, share, onResize } = props;
  const host = useRef<HTMLDivElement>(null);
  const last = useRef<Shown | null>(null);
  const [, render] = useState<Shown | null>(null);
  const [spoken, announce] = useAnnouncement();

  const shown = () => {
    const { current } = last;
    return current?.drawing === drawing && current?.set === set ? current : null;
  };
  const rows = (index: number): TooltipRow[] =>
    set.series.map(({ label, color, values }, i) => {
      const value = texts.value(values[index]);
      return share === undefined
        ? { label, color, value }
        : { label, color: seriesColor(index), value: `${value} (${share(i, index)})` };
    });
  const show = (index: number | null, event?: PointerEvent) => {
    if (index === null && shown() === null) return;
    const place = drawing?.highlight(index, event);
    render(last.current = index === null ? null : { index, place, drawing, set });
    if (event?.pointerType === "mouse") return; // who has a mouse sees it
    const values = index === null ? [] : rows(index).map(({ label, value }) => `${label} ${value}`);
    announce(index === null ? "" : `${texts.label(set, index)}: ${values.join(", ")}`);
  };

  const latest = useRef({ show, onResize });
  latest.current = { show, onResize };
  useEffect(() => {
    const element = host.current!;
    const leave = ({ target }: PointerEvent) => {
      if (!element.contains(target as Node)) latest.current.show(null);
    };
    document.addEventListener("pointerdown", leave, true);
    let width = element.clientWidth;
    const resize = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      latest.current.show(null);
      latest.current.onResize?.();
    });
    resize.observe(element);
    return () => {
      last.current = null; // the blur that follows must not reach what is gone
      document.removeEventListener("pointerdown", leave, true);
      resize.disconnect();
    };
  }, []);

  const tip = shown();
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
          const next = nextIndex(event.key, shown()?.index ?? null, set.x.length);
          if (next === undefined) return; // the page's
          event.preventDefault();
          event.stopPropagation();
          show(next);
        }}
        onBlur={() => show(null)}
        {...usePointer((event) =>
          event === null ? show(null) : show(drawing?.indexAt(event) ?? null, event)
        )}
      >
        {props.children}
        {tip?.place && (
          <Tooltip title={texts.label(set, tip.index)} rows={rows(tip.index)} place={tip.place} />
        )}
      </div>
      <p id={id} class="visually-hidden">
        The arrow keys, Home and End move from datum to datum, Escape leaves. The figures follow as
        a table.
      </p>
      <p class="visually-hidden" role="status">{spoken}</p>
    </>
  );
}
