import { HttpError, page } from "fresh";
import type { PageProps } from "fresh";
import Base from "../islands/Base.tsx";
import Ours from "../islands/Ours.tsx";
import Peer from "../islands/Peer.tsx";

const CHARTS: Record<string, () => preact.JSX.Element> = { base: Base, ours: Ours, peer: Peer };

export const handler = {
  GET({ params }: { params: Record<string, string> }) {
    if (!Object.hasOwn(CHARTS, params.chart)) throw new HttpError(404);
    return page();
  },
};

/** Our chart, Chart.js, or the common base of both. */
export default function ChartPage({ params }: PageProps) {
  const Chart = CHARTS[params.chart];
  return <Chart />;
}
