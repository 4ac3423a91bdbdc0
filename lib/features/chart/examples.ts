/** The charts of the development gallery at `/dev/charts`, one for each type and state. */
import type { ChartData, ChartProps } from "./mod.ts";
import { balanceSample, categorySample, flowSample, minutesSample } from "./samples.ts";

/** A chart of the gallery for development, `/dev/charts`. */
export interface Example extends Omit<ChartProps, "data"> {
  title: string;
  data?: () => ChartData;
}

export const NO_DATA: ChartData = { labels: [], datasets: [] };
/** The data that charts of the gallery load, by name. */
export const SOURCES: Record<string, () => ChartData> = {
  flow: () => flowSample(),
  minutes: () => minutesSample(100_000),
};
/** The URL of data that cannot be loaded. */
export const FAILING = "/dev/charts?data=failing";

export const EXAMPLES: Record<string, Example> = {
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
