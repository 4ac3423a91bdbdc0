import { type ChartType, type Formatters, hasValues, type SeriesSet } from "../../lib/chart/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { Doughnut } from "./Doughnut.tsx";
import { Skeleton } from "./parts.tsx";
import { PlotArea } from "./PlotArea.tsx";

export interface ChartBodyProps {
  id: string | undefined;
  type: ChartType;
  set: SeriesSet;
  /** Draws straight lines without points. */
  plain: boolean;
  formatters: Formatters;
  height: number;
  name: string;
  empty: string;
  /** Whether data is being loaded. */
  busy: boolean;
  /** Whether the last request for data failed. */
  dataFailed: boolean;
  /** Whether the drawing code could not be loaded. */
  codeFailed: boolean;
  onRetry: () => void;
  onCodeFailed: () => void;
}

/** The plot or its placeholder, in one of the states of spec 3: normal, loading, empty or error. */
export function ChartBody(props: ChartBodyProps) {
  const { type, height, codeFailed } = props;
  const filled = hasValues(props.set) && !codeFailed;
  const error = (props.dataFailed || codeFailed) && (
    <StateNote kind="error" title="Unable to load chart data">
      <button type="button" class="button small" onClick={props.onRetry}>Try again</button>
    </StateNote>
  );
  return (
    <>
      {filled && error}
      <div class="chart-body">
        {/* Keeps the height in every state, so that the page doesn't jump. */}
        <svg class="chart-spacer" width="1" height={height} aria-hidden="true" />
        {filled
          ? type === "doughnut" ? <Doughnut {...props} /> : <PlotArea {...props} type={type} />
          : error || (props.busy
            ? <Skeleton round={type === "doughnut"} height={height} />
            : <StateNote kind="empty" title={props.empty} />)}
      </div>
    </>
  );
}
