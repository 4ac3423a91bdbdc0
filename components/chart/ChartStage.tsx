import { type ChartType, hasValues, type SeriesSet } from "../../lib/chart/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { Doughnut } from "./Doughnut.tsx";
import { PlotArea } from "./PlotArea.tsx";
import type { Texts } from "./plot_input.ts";
import { Skeleton } from "./Skeleton.tsx";

export interface ChartStageProps {
  id: string | undefined;
  type: ChartType;
  /** What is to be shown. */
  set: SeriesSet;
  /** Draws straight lines without points. */
  plain: boolean;
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
}

/** The place of the plot, in one of the states of spec 3: normal, loading, empty or error. */
export function ChartStage(props: ChartStageProps) {
  const { type, height, broken } = props;
  const filled = hasValues(props.set) && !broken;
  const failure = (props.failed || broken) && (
    <StateNote kind="error" title="Unable to load chart data">
      <button type="button" class="button small" onClick={props.onRetry}>Try again</button>
    </StateNote>
  );
  return (
    <>
      {filled && failure}
      <div class="chart-stage">
        {/* Holds the height in every state; the page must not jump. */}
        <svg class="chart-strut" width="1" height={height} aria-hidden="true" />
        {filled
          ? type === "doughnut" ? <Doughnut {...props} /> : <PlotArea {...props} type={type} />
          : failure || (props.busy
            ? <Skeleton round={type === "doughnut"} height={height} />
            : <StateNote kind="empty" title={props.empty} />)}
      </div>
    </>
  );
}
