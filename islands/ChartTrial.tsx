import { useState } from "preact/hooks";
import type { ChartData, ChartType } from "../lib/chart/mod.ts";
import Chart from "./Chart.tsx";

const TYPES: ChartType[] = ["line", "area", "bar", "doughnut"];

export interface ChartTrialProps {
  /** Sets of data by name, and addresses of some. */
  data: Record<string, ChartData>;
  sources: Record<string, string>;
}

/** A chart whose properties can be changed while it stands, on the page that shows them all. */
export default function ChartTrial({ data, sources }: ChartTrialProps) {
  const [type, setType] = useState<ChartType>("line");
  const [name, setName] = useState(Object.keys(data)[0]);
  const [height, setHeight] = useState(300);
  const [loading, setLoading] = useState(false);
  const [present, setPresent] = useState(true);
  const [renders, setRenders] = useState(1);
  return (
    <div class="chart-trial" data-renders={renders}>
      <div class="actions">
        <Choice label="Type" values={TYPES} value={type} onChange={setType} />
        <Choice
          label="Data"
          values={[...Object.keys(data), ...Object.keys(sources)]}
          value={name}
          onChange={setName}
        />
        <Choice
          label="Height"
          values={["300", "100", "420"]}
          value={`${height}`}
          onChange={(value) => setHeight(Number(value))}
        />
        <Check label="Loading" checked={loading} onChange={setLoading} />
        <Check label="Mounted" checked={present} onChange={setPresent} />
        <button type="button" class="button small" onClick={() => setRenders(renders + 1)}>
          Render again
        </button>
      </div>
      {present && (
        <Chart
          type={type}
          // New objects at every render, as careless pages make them.
          data={structuredClone(data[name] ?? { labels: [], datasets: [] })}
          options={{ currency: "USD", label: "A chart to try", src: sources[name] }}
          height={height}
          loading={loading}
          timeRange
          datePicker
          accumulative
        />
      )}
    </div>
  );
}

function Choice<T extends string>(
  { label, values, value, onChange }: {
    label: string;
    values: readonly T[];
    value: T;
    onChange: (value: T) => void;
  },
) {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {values.map((value) => <option key={value}>{value}</option>)}
      </select>
    </label>
  );
}

function Check(
  { label, checked, onChange }: {
    label: string;
    checked: boolean;
    onChange: (checked: boolean) => void;
  },
) {
  return (
    <label>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}
