/** The component around a uPlot chart, which loads its code, updates it and removes it. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Explorer } from "./Explorer.tsx";
import { Skeleton } from "./parts.tsx";
import type { Plot, PlotInput } from "./plot.ts";

interface PlotAreaProps extends PlotInput {
  id: string | undefined;
  name: string;
  onCodeFailed: () => void;
}

/** A line, area or bar chart. Its drawing code is loaded when the first one is hydrated. */
export function PlotArea({ id, name, onCodeFailed, ...input }: PlotAreaProps) {
  const { set, height, formatters } = input;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(input);
  latest.current = input;
  const [created, setCreated] = useState<{ key: string; plot: Plot } | null>(null);
  // A new type or new colours need a new plot; everything else updates the plot.
  const key = [input.type, ...set.series.map(({ color }) => color)].join();
  const plot = created?.key === key ? created.plot : null;

  useLayoutEffect(() => {
    let removed = false;
    let plot: Plot | undefined;
    const create = async () => {
      correctLanguage();
      const { createPlot } = await import("./plot.ts");
      if (!removed) setCreated({ key, plot: plot = createPlot(host.current!, latest.current) });
    };
    create().catch((error) => {
      console.warn(error);
      if (!removed) onCodeFailed();
    });
    return () => {
      removed = true;
      plot?.destroy();
    };
  }, [key]);
  const update = () => plot?.update(latest.current);
  // In the layout phase, because the pointer may move before the next frame.
  useLayoutEffect(update, [plot, set, height, formatters]);

  return (
    <>
      <Explorer
        {...{ id, name, set, formatters }}
        class="chart-plot"
        drawing={plot}
        onResize={update}
      >
        <div ref={host} />
      </Explorer>
      {created === null && <Skeleton round={false} height={height} />}
    </>
  );
}

/**
 * Replaces the browser's language if it is not a valid tag, such as `en-US@posix`: uPlot creates a
 * number format with it when it loads, which would fail.
 */
function correctLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" });
  }
}
