/** The metrics of the process: its build, memory, uptime and open requests. */
import { SECOND_MS } from "../../base/time.ts";
import { gauge, type ReadGauges, sample } from "./metric.ts";

const buildInfo = gauge("build_info", "Always 1; the labels describe the process.", {
  version: null,
  revision: null,
  deno: null,
  process: null,
});
const startTime = gauge(
  "start_time_seconds",
  "When the process started, in seconds since 1970.",
  {},
);
const uptime = gauge("uptime_seconds", "How long the process has been running.", {});
const memory = gauge("memory_bytes", "Memory of the process.", {
  kind: ["resident", "heap", "external"],
});
const requestsInFlight = gauge(
  "requests_in_flight",
  "Requests whose responses have not been sent completely, without open streams.",
  {},
);
const openStreams = gauge("open_streams", "Open event streams.", {});

/** The gauges of {@link processGauges}. */
export const PROCESS_METRICS = [
  buildInfo,
  startTime,
  uptime,
  memory,
  requestsInFlight,
  openStreams,
];

/** Returns the function that reads the gauges of this process. */
export const processGauges = (
  { build, inFlight, streams }: {
    /** The labels of `build_info`. */
    build: { version: string; revision: string; process: string };
    inFlight: { readonly size: number };
    streams: { readonly size: number };
  },
): ReadGauges =>
() => {
  const { rss, heapUsed, external } = Deno.memoryUsage();
  return [
    sample(buildInfo, 1, { ...build, deno: Deno.version.deno }),
    sample(startTime, Math.round(performance.timeOrigin) / SECOND_MS, {}),
    sample(uptime, performance.now() / SECOND_MS, {}),
    sample(memory, rss, { kind: "resident" }),
    sample(memory, heapUsed, { kind: "heap" }),
    sample(memory, external, { kind: "external" }),
    sample(requestsInFlight, inFlight.size, {}),
    sample(openStreams, streams.size, {}),
  ];
};
