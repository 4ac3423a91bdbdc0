/** The interactive part of the development page `/dev/charts`. */
import { useState } from "preact/hooks";
import { Chart } from "../components/chart/Chart.tsx";
import type { ChartData, ChartType } from "../lib/features/chart/mod.ts";

const TYPES: ChartType[] = ["line", "area", "bar", "doughnut"];
const HEIGHTS = ["300", "100", "420"];

export interface ChartPlaygroundProps {
  data: Record<string, ChartData>;
  /** URLs that return data, by name. */
  sources: Record<string, string>;
}

/** A chart with controls for its properties, for the chart gallery. */
export default function ChartPlayground({ data, sources }: ChartPlaygroundProps) {
  const names = [...Object.keys(data), ...Object.keys(sources)];
  const [type, setType] = useState<string>(TYPES[0]);
  const [name, setName] = useState(names[0]);
  const [height, setHeight] = useState(HEIGHTS[0]);
  const [loading, setLoading] = useState(false);
  const [mounted, setMounted] = useState(true);
  const [renders, setRenders] = useState(1);
  return (
    <div class="chart-playground" data-renders={renders}>
      <div class="actions">
        <label>Type {select(TYPES, type, setType)}</label>
        <label>Data {select(names, name, setName)}</label>
        <label>Height {select(HEIGHTS, height, setHeight)}</label>
        <label>{checkbox(loading, setLoading)} Loading</label>
        <label>{checkbox(mounted, setMounted)} Mounted</label>
        <button type="button" class="button small" onClick={() => setRenders(renders + 1)}>
          Render again
        </button>
      </div>
      {mounted && (
        <Chart
          type={type as ChartType}
          // Cloned, because pages may create new objects on every render.
          data={structuredClone(data[name] ?? { labels: [], datasets: [] })}
          options={{ currency: "USD", label: "Playground", src: sources[name] }}
          height={Number(height)}
          loading={loading}
          timeRange
          datePicker
          accumulative
        />
      )}
    </div>
  );
}

const select = (values: string[], value: string, onChange: (value: string) => void) => (
  <select
    class="framed rounded on-card ink"
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {values.map((each) => <option key={each} selected={each === value}>{each}</option>)}
  </select>
);

const checkbox = (checked: boolean, onChange: (checked: boolean) => void) => (
  <input
    type="checkbox"
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
