import { HttpError, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import Chart from "../../islands/Chart.tsx";
import ChartTrial from "../../islands/ChartTrial.tsx";
import type { ChartData } from "../../lib/chart/mod.ts";
import {
  balanceSample,
  categorySample,
  flowSample,
  minutesSample,
} from "../../lib/chart/samples.ts";
import { define } from "../../lib/state.ts";

const NOTHING: ChartData = { labels: [], datasets: [] };
const SOURCES: Record<string, () => ChartData> = {
  balance: () => balanceSample(),
  flow: () => flowSample(),
  long: () => minutesSample(100_000),
};

/** Every kind and state of the chart; with `?data=` the figures that a chart fetches by itself. */
export const handler = define.handlers({
  GET({ url, json }) {
    const name = url.searchParams.get("data");
    if (name === null) return page();
    if (name === "broken") throw new HttpError(503);
    if (!Object.hasOwn(SOURCES, name)) throw new HttpError(404);
    return json(SOURCES[name]());
  },
});

export default define.page<typeof handler>(() => (
  <div class="gallery">
    <Head>
      <title>Charts</title>
      <link rel="stylesheet" href={asset("/styles/chart.css")} />
    </Head>
    <p class="eyebrow">Development</p>
    <h1>Charts</h1>

    <h2>Line, with ranges and a custom range</h2>
    <Chart
      type="line"
      data={balanceSample()}
      options={{ currency: "USD", label: "Balance" }}
      timeRange
      datePicker
    />

    <h2>Bar, with the cumulative toggle</h2>
    <Chart
      type="bar"
      data={flowSample()}
      options={{ currency: "USD", label: "Daily flow" }}
      timeRange
      accumulative
    />

    <h2>Area of several series</h2>
    <Chart
      type="area"
      data={flowSample(60)}
      options={{ currency: "USD", label: "Flow as an area" }}
      height={240}
    />

    <h2>Doughnut</h2>
    <Chart
      type="doughnut"
      data={categorySample()}
      options={{ currency: "USD", label: "Income by kind" }}
      height={260}
    />

    <h2>Categories</h2>
    <Chart
      type="bar"
      data={categorySample()}
      options={{ format: "compact", label: "Income by kind, as bars" }}
      height={200}
    />

    <h2>100,000 minutes, fetched by the chart</h2>
    <Chart
      type="line"
      data={NOTHING}
      options={{ label: "Load", src: "/dev/charts?data=long" }}
      timeRange
    />

    <h2>Loading</h2>
    <Chart type="line" data={NOTHING} options={{ label: "A chart to come" }} height={200} loading />

    <h2>Empty</h2>
    <Chart type="line" data={NOTHING} options={{ label: "An empty chart" }} height={200} />

    <h2>Error</h2>
    <Chart
      type="line"
      data={NOTHING}
      options={{ label: "A chart without data", src: "/dev/charts?data=broken" }}
      height={200}
    />

    <h2>To try</h2>
    <ChartTrial
      data={{
        balance: balanceSample(),
        flow: flowSample(90),
        categories: categorySample(),
        none: NOTHING,
      }}
      sources={{ fetched: "/dev/charts?data=flow", broken: "/dev/charts?data=broken" }}
    />
  </div>
));
