import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  TimeScale,
  Tooltip,
} from "chart.js";
import { useEffect, useRef } from "preact/hooks";
import { createData, nextPaint } from "../data.ts";

/** Chart.js with the parts for lines, areas, bars and doughnuts, tuned for many points. */
export default function Peer() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    Chart.register(ArcElement, BarController, BarElement, CategoryScale, DoughnutController);
    Chart.register(Filler, Legend, LinearScale, LineController, LineElement, PointElement);
    Chart.register(TimeScale, Tooltip);
    let chart: Chart | undefined;
    globalThis.draw = async (count) => {
      const { peer } = createData(count);
      await nextPaint();
      const start = performance.now();
      chart?.destroy();
      host.current!.replaceChildren(document.createElement("canvas"));
      chart = new Chart(host.current!.firstElementChild as HTMLCanvasElement, {
        type: "line",
        data: {
          datasets: [{
            label: "Load",
            data: peer,
            borderColor: "#4ecdc4",
            borderWidth: 2,
            backgroundColor: "rgba(78,205,196,0.1)",
            fill: true,
            pointRadius: 0,
            tension: 0,
          }],
        },
        options: {
          animation: false,
          parsing: false,
          normalized: true,
          responsive: true,
          maintainAspectRatio: false,
          interaction: { mode: "index", intersect: false, axis: "x" },
          plugins: { legend: { display: false } },
          scales: { x: { type: "linear" } },
        },
      });
      return await nextPaint() - start;
    };
  }, []);
  return <div ref={host} class="peer" />;
}
