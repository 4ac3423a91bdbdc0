import { type Range, RANGES, type Selection } from "../../lib/chart/mod.ts";

export interface ControlsProps {
  /** The pills, the dates and the toggle: each stands there when it was asked for. */
  timeRange: boolean;
  datePicker: boolean;
  accumulative: boolean;
  /** The first and last day of all the data, `YYYY-MM-DD`. */
  extent: { start: string; end: string };
  /** The days that are shown. */
  shown: { start: string; end: string };
  selection: Selection;
  onSelect: (selection: Selection) => void;
  accumulated: boolean;
  onAccumulate: (on: boolean) => void;
  /** Before the island lives, nothing can be chosen. */
  disabled: boolean;
}

/** What stands above a plot. A form of its own keeps its radio buttons apart from other charts'. */
export function Controls(props: ControlsProps) {
  const { timeRange, datePicker, accumulative, disabled } = props;
  if (!(timeRange || datePicker || accumulative)) return null;
  return (
    <form class="chart-controls" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="chart-fields" disabled={disabled}>
        <legend class="visually-hidden">Chart options</legend>
        {timeRange && <RangePills {...props} />}
        {datePicker && <DateInputs {...props} />}
        {accumulative && (
          <label class="chart-switch">
            <input
              type="checkbox"
              role="switch"
              checked={props.accumulated}
              onChange={(event) => props.onAccumulate(event.currentTarget.checked)}
            />
            Cumulative
          </label>
        )}
      </fieldset>
    </form>
  );
}

function RangePills({ selection, onSelect }: ControlsProps) {
  const current = "range" in selection ? selection.range : null;
  const pill = (range: Range) => (
    <label key={range} class="chart-pill">
      <input
        type="radio"
        name="range"
        value={range}
        checked={range === current}
        onChange={() => onSelect({ range })}
      />
      <span>{range}</span>
    </label>
  );
  return <div class="chart-pills" role="radiogroup" aria-label="Time range">{RANGES.map(pill)}
  </div>;
}

function DateInputs({ selection, shown, extent, onSelect }: ControlsProps) {
  const chosen = "range" in selection ? shown : selection;
  const crossed = chosen.start !== "" && chosen.end !== "" && chosen.start > chosen.end;
  const input = (name: "start" | "end", label: string) => (
    <label>
      {label}
      <input
        type="date"
        name={name}
        min={extent.start}
        max={extent.end}
        value={chosen[name]}
        aria-invalid={crossed ? "true" : undefined}
        onChange={({ currentTarget }) =>
          onSelect({ start: chosen.start, end: chosen.end, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="chart-dates" role="group" aria-label="Custom range">
      {input("start", "From")}
      {input("end", "to")}
      {crossed && <p class="chart-problem" role="alert">The start is after the end.</p>}
    </div>
  );
}
