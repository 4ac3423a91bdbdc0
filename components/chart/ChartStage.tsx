import { type ChartType, hasValues, type SeriesSet } from "../../lib/chart/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { Doughnut } from "./Doughnut.tsx";
import { PlotArea } from "./PlotArea.tsx";
import type { Texts } from "./plot_input.ts";
import { Skeleton } from "./Skeleton.tsx";

export interface ChartStageProps {
  type: ChartType;
  /** What is to be shown; null while there has been nothing yet. */
  view: SeriesSet | null;
  texts: Texts;
  height: number;
  name: string;
  empty: string;
  /** Whether data are on their way. */
  busy: boolean;
  /** Whether their last fetch failed. */
  failed: boolean;
  /** Whether the drawing code could not be loaded. */
  broken: boolean;
  onRetry: () => void;
  onBreak: () => void;
  onShow: (index: number | null) => void;
}

/** The place of the plot, in one of the states of spec 3: normal, loading, empty or error. */
export function ChartStage(props: ChartStageProps) {
  const { type, view, height, busy, empty, onRetry } = props;
  const filled = view !== null && hasValues(view) && !props.broken;
  const failed = props.failed || props.broken;
  return (
    <>
      {failed && filled && <Failure onRetry={onRetry} />}
      <div class="chart-stage">
        {/* Holds the height in every state; the page must not jump. */}
        <svg class="chart-strut" width="1" height={height} aria-hidden="true" />
        {filled
          ? <Drawing {...props} view={view} />
          : failed
          ? <Failure onRetry={onRetry} />
          : busy
          ? <Skeleton round={type === "doughnut"} height={height} />
          : <StateNote kind="empty" title={empty} />}
      </div>
    </>
  );
}

function Drawing(
  { type, view, texts, height, name, onShow, onBreak }: ChartStageProps & { view: SeriesSet },
) {
  const common = { set: view, texts, height, name, onShow };
  return type === "doughnut"
    ? <Doughnut {...common} />
    : <PlotArea {...common} type={type} onFail={onBreak} />;
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <StateNote kind="error" title="Unable to load chart data">
      <button type="button" class="button small" onClick={onRetry}>Try again</button>
    </StateNote>
  );
}
