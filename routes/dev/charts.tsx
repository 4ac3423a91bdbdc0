import { HttpError, page } from "fresh";
import { asset, Head } from "fresh/runtime";
import Chart from "../../islands/Chart.tsx";
import ChartPlayground from "../../islands/ChartPlayground.tsx";
import type { ChartData } from "../../lib/chart/mod.ts";
import {
  balanceSample,
  categorySample,
  flowSample,
  minutesSample,
} from "../../lib/chart/samples.ts";
import { define } from "../../lib/state.ts";

const NO_DATA: ChartData = { labels: [], datasets: [] };
const SOURCES: Record<string, () => ChartData> = {
  flow: () => flowSample(),
  minutes: () => minutesSample(100_000),
};
const FAILING = "/dev/charts?data=failing";

/** The examples of the gallery by name. */
const EXAMPLES: Record<string, { title: string; example: () => preact.JSX.Element }> = {
  line: {
    title: "Line, with ranges and a custom range",
    example: () => (
      <Chart
        type="line"
        data={balanceSample()}
        options={{ currency: "USD", label: "Balance" }}
        timeRange
        datePicker
      />
    ),
  },
  bar: {
    title: "Bar, with the cumulative toggle",
    example: () => (
      <Chart
        type="bar"
        data={flowSample()}
        options={{ currency: "USD", label: "Daily flow" }}
        timeRange
        accumulative
      />
    ),
  },
  area: {
    title: "Area of several series",
    example: () => (
      <Chart
        type="area"
        data={flowSample(60)}
        options={{ currency: "USD", label: "Flow as an area" }}
        height={240}
      />
    ),
  },
  doughnut: {
    title: "Doughnut",
    example: () => (
      <Chart
        type="doughnut"
        data={categorySample()}
        options={{ currency: "USD", label: "Income by kind" }}
        height={260}
      />
    ),
  },
  categories: {
    title: "Categories",
    example: () => (
      <Chart
        type="bar"
        data={categorySample()}
        options={{ format: "compact", label: "Income by kind, as bars" }}
        height={200}
      />
    ),
  },
  minutes: {
    title: "Long series from a URL",
    example: () => (
      <Chart
        type="line"
        data={NO_DATA}
        options={{ label: "Load", src: "/dev/charts?data=minutes" }}
        timeRange
      />
    ),
  },
  loading: {
    title: "Loading",
    example: () => (
      <Chart type="line" data={NO_DATA} options={{ label: "Loading chart" }} height={200} loading />
    ),
  },
  empty: {
    title: "Empty",
    example: () => (
      <Chart type="line" data={NO_DATA} options={{ label: "Empty chart" }} height={200} />
    ),
  },
  error: {
    title: "Error",
    example: () => (
      <Chart
        type="line"
        data={NO_DATA}
        options={{ label: "Failing chart", src: FAILING }}
        height={200}
      />
    ),
  },
  playground: {
    title: "Playground",
    example: () => (
      <ChartPlayground
        data={{
          balance: balanceSample(),
          flow: flowSample(90),
          categories: categorySample(),
          none: NO_DATA,
        }}
        sources={{ fetched: "/dev/charts?data=flow", failing: FAILING }}
      />
    ),
  },
};

/**
 * The chart in every type and state. `?only=bar,empty` shows only the named examples; `?data=flow`
 * returns the data of an example that loads it from a URL.
 */
export const handler = define.handlers({
  GET({ url, json }) {
    const source = url.searchParams.get("data");
    if (source === "failing") throw new HttpError(503);
    if (source !== null) return json(find(SOURCES, source)());
    const names = url.searchParams.get("only")?.split(",") ?? Object.keys(EXAMPLES);
    return page({ examples: names.map((name) => find(EXAMPLES, name)) });
  },
});

function find<T>(values: Record<string, T>, name: string): T {
  if (!Object.hasOwn(values, name)) throw new HttpError(404);
  return values[name];
}

export default define.page<typeof handler>(({ data }) => (
  <div class="gallery">
    <Head>
      <title>Charts</title>
      <link rel="stylesheet" href={asset("/styles/chart.css")} />
    </Head>
    <p class="eyebrow">Development</p>
    <h1>Charts</h1>
    {data.examples.map(({ title, example }) => (
      <>
        <h2>{title}</h2>
        {example()}
      </>
    ))}
  </div>
));
