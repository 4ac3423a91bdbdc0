/** The controls of a chart: ranges, dates, and the switch for running totals. */
import { type DayRange, type Range, type Selection } from "../../lib/features/chart/mod.ts";

export interface ControlsProps {
  /** The ranges to choose from; with fewer than two there is no choice. */
  ranges: readonly Range[];
  datePicker: boolean;
  accumulative: boolean;
  /** The first and last day of all data. */
  available: DayRange;
  /** The first and last day that are shown. */
  shown: DayRange;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  accumulated: boolean;
  onAccumulate: (on: boolean) => void;
  disabled: boolean;
}

/** The controls above a plot, in a form so that each chart has its own group of radio buttons. */
export function Controls(props: ControlsProps) {
  const { ranges, datePicker, accumulative, disabled } = props;
  const timeRange = ranges.length > 1;
  if (!(timeRange || datePicker || accumulative)) return null;
  return (
    <form class="chart-controls shrinks" onSubmit={(event) => event.preventDefault()}>
      <fieldset
        class="wrap middle gap-2-4 shrinks flush text-small"
        disabled={disabled}
      >
        <legend class="visually-hidden">Chart options</legend>
        {timeRange && <RangePills {...props} />}
        {datePicker && <DateInputs {...props} />}
        {accumulative && (
          <label class="chart-switch middle muted">
            <input
              class="relative flush"
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

function RangePills({ ranges, selection, onSelect }: ControlsProps) {
  const current = "range" in selection ? selection.range : null;
  const pill = (range: Range) => (
    <label key={range} class="chart-pill relative">
      <input
        class="flush"
        type="radio"
        name="range"
        value={range}
        checked={range === current}
        onChange={() => onSelect({ range })}
      />
      <span class="muted">{range}</span>
    </label>
  );
  return (
    <div class="chart-pills flex" role="radiogroup" aria-label="Time range">{ranges.map(pill)}</div>
  );
}

function DateInputs({ selection, shown, available, onSelect }: ControlsProps) {
  const chosen = "range" in selection ? shown : selection;
  const reversed = chosen.start !== "" && chosen.end !== "" && chosen.start > chosen.end;
  const input = (name: "start" | "end", label: string) => (
    <label class="middle gap-2">
      {label}
      <input
        class="framed rounded raised ink"
        type="date"
        name={name}
        min={available.start}
        max={available.end}
        value={chosen[name]}
        aria-invalid={reversed ? "true" : undefined}
        onChange={({ currentTarget }) =>
          onSelect({ start: chosen.start, end: chosen.end, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="wrap chart-dates middle gap-2 muted" role="group" aria-label="Custom range">
      {input("start", "From")}
      {input("end", "to")}
      {reversed && <p class="chart-error" role="alert">The start date is after the end date.</p>}
    </div>
  );
}
