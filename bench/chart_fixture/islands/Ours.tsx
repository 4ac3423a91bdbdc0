import { useEffect, useRef, useState } from "preact/hooks";
import Chart from "../../../islands/Chart.tsx";
import type { ChartData } from "../../../lib/features/chart/mod.ts";
import { createData, nextChange, nextPaint } from "../data.ts";

const NO_DATA: ChartData = { labels: [], datasets: [] };

/** Our complete chart: it parses dates, creates the table and sets up uPlot. */
export default function Ours() {
  const host = useRef<HTMLDivElement>(null);
  const [data, setData] = useState(createData(2).ours);
  useEffect(() => {
    globalThis.draw = async (count) => {
      const { ours } = createData(count);
      setData(NO_DATA); // removes the plot, so that a new one is created
      await nextPaint();
      await nextPaint();
      const start = performance.now();
      setData(ours);
      do await nextChange(host.current!); while (
        host.current!.querySelector(".u-over") === null ||
        host.current!.querySelector(".chart-skeleton") !== null
      );
      return await nextPaint() - start;
    };
  }, []);
  return (
    <div ref={host}>
      <Chart type="line" data={data} options={{ label: "Load" }} />
    </div>
  );
}
