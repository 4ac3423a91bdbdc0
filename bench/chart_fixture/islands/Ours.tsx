import { useEffect, useRef, useState } from "preact/hooks";
import Chart from "../../../islands/Chart.tsx";
import type { ChartData } from "../../../lib/chart/mod.ts";
import { changed, makeFigures, painted } from "../figures.ts";

const NOTHING: ChartData = { labels: [], datasets: [] };

/** Our chart, the whole of it: dates read, table made, uPlot set up. */
export default function Ours() {
  const host = useRef<HTMLDivElement>(null);
  const [data, setData] = useState(makeFigures(2).ours);
  useEffect(() => {
    globalThis.draw = async (count) => {
      const { ours } = makeFigures(count);
      setData(NOTHING); // the plot goes, and a new one is made
      await painted();
      await painted();
      const start = performance.now();
      setData(ours);
      do await changed(host.current!); while (
        host.current!.querySelector(".u-over") === null ||
        host.current!.querySelector(".chart-skeleton") !== null
      );
      return await painted() - start;
    };
  }, []);
  return (
    <div ref={host}>
      <Chart type="line" data={data} options={{ label: "Load" }} />
    </div>
  );
}
