import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useElementId } from "./hooks.ts";
import { type Plot, type PlotInput, plotKey } from "./plot_input.ts";
import { KeyHint, stepByKey } from "./KeyHint.tsx";
import { Skeleton } from "./Skeleton.tsx";

export interface PlotAreaProps extends PlotInput {
  /** The accessible name. */
  name: string;
  /** Hears which datum to tell to screen readers; null for none. */
  onShow: (index: number | null) => void;
  /** Hears that the drawing code could not be loaded. */
  onFail: () => void;
}

/** A line, area or bar chart. Its drawing code is loaded when the first one comes to life. */
export function PlotArea({ name, onShow, onFail, ...input }: PlotAreaProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const shown = useRef<number | null>(null);
  const latest = useRef({ input, onShow, onFail });
  latest.current = { input, onShow, onFail };
  const [drawn, setDrawn] = useState(false);
  const id = useElementId();

  // A new plot for what cannot be changed in one; everything else is an update of it.
  useLayoutEffect(() => {
    let gone = false;
    const create = async () => {
      const { createPlot } = await import("./plot.ts");
      if (gone) return;
      plot.current = createPlot(host.current!, latest.current.input, (index, touched) => {
        shown.current = index;
        if (touched) latest.current.onShow(index);
      });
      setDrawn(true);
    };
    create().catch((error) => {
      console.warn(error);
      latest.current.onFail();
    });
    return () => {
      gone = true;
      plot.current?.destroy();
      plot.current = null;
      shown.current = null;
    };
  }, [plotKey(input)]);

  const { set, height, texts } = input;
  useEffect(() => {
    shown.current = null;
    plot.current?.update(latest.current.input);
  }, [set, height, texts]);

  const show = (index: number | null) => {
    shown.current = index;
    plot.current?.show(index);
    onShow(index);
  };
  return (
    <>
      <div
        ref={host}
        class="chart-plot"
        role="application"
        aria-roledescription="chart"
        aria-label={name}
        aria-describedby={id}
        tabindex={0}
        onKeyDown={(event) => stepByKey(event, shown.current, set.x.length, show)}
        onBlur={() => shown.current !== null && show(null)}
      />
      <KeyHint id={id} />
      {!drawn && <Skeleton round={false} height={height} />}
    </>
  );
}
