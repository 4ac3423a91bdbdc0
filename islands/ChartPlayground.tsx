import { useState } from "preact/hooks";
import type { ChartData, ChartType } from "../lib/chart/mod.ts";
import Chart from "./Chart.tsx";

const TYPES: ChartType[] = ["line", "area", "bar", "doughnut"];

export interface ChartPlaygroundProps {
  /** Data by name. */
  data: Record<string, ChartData>;
  /** URLs that return data, by name. */
  sources: Record<string, string>;
}

/** A chart with controls that change its properties, for the chart gallery. */
export default function ChartPlayground({ data, sources }: ChartPlaygroundProps) {
  const [type, setType] = useState<ChartType>("line");
  const [name, setName] = useState(Object.keys(data)[0]);
  const [height, setHeight] = useState(300);
  const [loading, setLoading] = useState(false);
  const [mounted, setMounted] = useState(true);
  const [renders, setRenders] = useState(1);
  return (
    <div class="chart-playground" data-renders={renders}>
      <div class="actions">
        <Select label="Type" values={TYPES} value={type} onChange={setType} />
        <Select
          label="Data"
          values={[...Object.keys(data), ...Object.keys(sources)]}
          value={name}
          onChange={setName}
        />
        <Select
          label="Height"
          values={["300", "100", "420"]}
          value={`${height}`}
          onChange={(value) => setHeight(Number(value))}
        />
        <Checkbox label="Loading" checked={loading} onChange={setLoading} />
        <Checkbox label="Mounted" checked={mounted} onChange={setMounted} />
        <button type="button" class="button small" onClick={() => setRenders(renders + 1)}>
          Render again
        </button>
      </div>
      {mounted && (
        <Chart
          type={type}
          // Cloned, because a page may create new objects for every render.
          data={structuredClone(data[name] ?? { labels: [], datasets: [] })}
          options={{ currency: "USD", label: "Playground", src: sources[name] }}
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

function Select<T extends string>(
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

function Checkbox(
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
