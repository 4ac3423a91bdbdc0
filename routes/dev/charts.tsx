import { HttpError, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import Chart from "../../islands/Chart.tsx";
import ChartPlayground from "../../islands/ChartPlayground.tsx";
import type { ChartData, ChartProps } from "../../lib/chart/mod.ts";
import {
  balanceSample,
  categorySample,
  flowSample,
  minutesSample,
} from "../../lib/chart/samples.ts";
import { define, pageHandler } from "../../lib/state.ts";

const NO_DATA: ChartData = { labels: [], datasets: [] };
const SOURCES: Record<string, () => ChartData> = {
  flow: () => flowSample(),
  minutes: () => minutesSample(100_000),
};
const FAILING = "/dev/charts?data=failing";

interface Example extends Omit<ChartProps, "data"> {
  title: string;
  data?: () => ChartData;
}

const EXAMPLES: Record<string, Example> = {
  line: {
    title: "Line, with ranges and a custom range",
    type: "line",
    data: balanceSample,
    options: { currency: "USD", label: "Balance" },
    timeRange: true,
    datePicker: true,
  },
  bar: {
    title: "Bar, with the cumulative toggle",
    type: "bar",
    data: flowSample,
    options: { currency: "USD", label: "Daily flow" },
    timeRange: true,
    accumulative: true,
  },
  area: {
    title: "Area of several series",
    type: "area",
    data: () => flowSample(60),
    options: { currency: "USD", label: "Flow as an area" },
    height: 240,
  },
  doughnut: {
    title: "Doughnut",
    type: "doughnut",
    data: categorySample,
    options: { currency: "USD", label: "Income by kind" },
    height: 260,
  },
  categories: {
    title: "Categories",
    type: "bar",
    data: categorySample,
    options: { format: "compact", label: "Income by kind, as bars" },
    height: 200,
  },
  minutes: {
    title: "Long series from a URL",
    type: "line",
    options: { label: "Load", src: "/dev/charts?data=minutes" },
    timeRange: true,
  },
  loading: {
    title: "Loading",
    type: "line",
    options: { label: "Loading chart" },
    height: 200,
    loading: true,
  },
  empty: { title: "Empty", type: "line", options: { label: "Empty chart" }, height: 200 },
  error: {
    title: "Error",
    type: "line",
    options: { label: "Failing chart", src: FAILING },
    height: 200,
  },
};
const PLAYGROUND = "playground";

/**
 * The chart in every type and state. `?only=bar,empty` shows only the named examples; `?data=flow`
 * returns the data of an example that loads its data from a URL.
 */
export const handler = pageHandler({
  GET({ url, json }) {
    const source = url.searchParams.get("data");
    if (source === "failing") throw new HttpError(503);
    if (source !== null) {
      if (!Object.hasOwn(SOURCES, source)) throw new HttpError(404);
      return json(SOURCES[source]());
    }
    const all = [...Object.keys(EXAMPLES), PLAYGROUND];
    const names = url.searchParams.get("only")?.split(",") ?? all;
    if (names.some((name) => !all.includes(name))) throw new HttpError(404);
    return page({ names });
  },
});

export default define.page<typeof handler>(({ data: { names } }) => (
  <div class="gallery">
    <Head>
      <title>Charts</title>
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/chart.css")} />
    </Head>
    <p class="eyebrow">Development</p>
    <h1>Charts</h1>
    {names.map((name) =>
      name === PLAYGROUND ? <Playground key={name} /> : <Single key={name} {...EXAMPLES[name]} />
    )}
  </div>
));

function Single({ title, data, ...props }: Example) {
  return (
    <>
      <h2>{title}</h2>
      <Chart {...props} data={data?.() ?? NO_DATA} />
    </>
  );
}

function Playground() {
  return (
    <>
      <h2>Playground</h2>
      <ChartPlayground
        data={{
          balance: balanceSample(),
          flow: flowSample(90),
          categories: categorySample(),
          none: NO_DATA,
        }}
        sources={{ fetched: "/dev/charts?data=flow", failing: FAILING }}
      />
    </>
  );
}
