import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Explorer } from "./Explorer.tsx";
import { type Plot, type PlotInput, plotKey } from "./plot_input.ts";
import { Skeleton } from "./Skeleton.tsx";

export interface PlotAreaProps extends PlotInput {
  /** As of {@linkcode Explorer}. */
  id: string | undefined;
  name: string;
  /** Hears that the drawing code could not be loaded. */
  onBreak: () => void;
}

/** A line, area or bar chart. Its drawing code is loaded when the first one comes to life. */
export function PlotArea({ id, name, onBreak, ...input }: PlotAreaProps) {
  const { set, height, texts } = input;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(input);
  latest.current = input;
  const [made, setMade] = useState<{ key: string; plot: Plot } | null>(null);
  const key = plotKey(input);
  const plot = made?.key === key ? made.plot : null;

  // A new plot for what cannot be changed in one; everything else is an update of it.
  useLayoutEffect(() => {
    let gone = false;
    let plot: Plot | undefined;
    const create = async () => {
      const { createPlot } = await import("./plot.ts");
      if (!gone) setMade({ key, plot: plot = createPlot(host.current!, latest.current) });
    };
    create().catch((error) => {
      console.warn(error);
      if (!gone) onBreak();
    });
    return () => {
      gone = true;
      plot?.destroy();
    };
  }, [key]);
  const update = () => plot?.update(latest.current);
  // At once: a pointer may ask the plot before the next frame.
  useLayoutEffect(update, [plot, set, height, texts]);

  return (
    <>
      <Explorer {...{ id, name, set, texts }} class="chart-plot" drawing={plot} onResize={update}>
        <div ref={host} />
      </Explorer>
      {made === null && <Skeleton round={false} height={height} />}
    </>
  );
}
