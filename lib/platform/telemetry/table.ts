/** A metric: its type, what it measures, and its labels with their values. */
interface Metric {
  type: "counter" | "gauge";
  help: string;
  /** The values of each label; null for a set that depends on the configuration. */
  labels: Readonly<Record<string, readonly string[] | null>>;
}

const ORGANISATIONS = ["foundation", "commercial"] as const;
const CHANNELS = ["mail", "push"] as const;

/**
 * Every metric. Label values come from fixed sets, never from a request, so that they contain nothing
 * secret or personal and their number stays small. Prometheus reserves the labels `job` and `instance`.
 * The metrics of requests are in `request_times.ts`.
 */
export const METRICS = {
  sign_ins: {
    type: "counter",
    help: "Sign-ins of users to sites and consoles, and of holders to their records.",
    labels: {
      who: ["user", "holder"],
      method: ["link", "link_code", "code", "passkey", "confirmation"],
    },
  },
  registrations: {
    type: "counter",
    help: "Registered enquiries.",
    labels: { organisation: ORGANISATIONS },
  },
  appends: { type: "counter", help: "Events appended to chains.", labels: { kind: null } },
  mcp_calls: {
    type: "counter",
    help: "Calls of MCP tools.",
    labels: { organisation: ORGANISATIONS, tool: null },
  },
  bank_calls: {
    type: "counter",
    help: "Requests to the bank's API, including retries.",
    labels: {
      organisation: ORGANISATIONS,
      outcome: ["ok", "rejected", "failed", "unreachable"],
    },
  },
  mails: {
    type: "counter",
    help: "Attempts to send mail.",
    labels: { outcome: ["sent", "delayed", "failed"] },
  },
  pushes: {
    type: "counter",
    help: "Attempts to send push notifications.",
    labels: {
      platform: ["ios", "android", "web"],
      outcome: ["sent", "remove", "retry", "give_up"],
    },
  },
  codes: {
    type: "counter",
    help: "One-time codes passed to the provider.",
    labels: { channel: ["sms", "voice"], outcome: ["accepted", "rejected"] },
  },
  relay_bytes: {
    type: "counter",
    help: "Bytes of bodies that relays have sent.",
    labels: { relay: null },
  },
  chain_faults: {
    type: "counter",
    help: "Chains that the daily check found damaged.",
    labels: {},
  },
  log_lines: {
    type: "counter",
    help: "Written log lines.",
    labels: { level: ["debug", "info", "warn", "error"] },
  },
  build_info: {
    type: "gauge",
    help: "Always 1; the labels describe the process.",
    labels: { version: null, revision: null, deno: null, process: null },
  },
  start_time_seconds: {
    type: "gauge",
    help: "When the process started, in seconds since 1970.",
    labels: {},
  },
  uptime_seconds: { type: "gauge", help: "How long the process has been running.", labels: {} },
  memory_bytes: {
    type: "gauge",
    help: "Memory of the process.",
    labels: { kind: ["resident", "heap", "external"] },
  },
  requests_in_flight: {
    type: "gauge",
    help: "Requests whose responses have not been sent completely, without open streams.",
    labels: {},
  },
  open_streams: { type: "gauge", help: "Open event streams.", labels: {} },
  ready: {
    type: "gauge",
    help: "1 if the process is ready to serve, as /readyz reports it; 0 if it is not.",
    labels: {},
  },
  read_only: {
    type: "gauge",
    help:
      "1 while READ_ONLY, a restored copy or the disk makes the process refuse writes, as /readyz reports it.",
    labels: {},
  },
  kv_read_seconds: {
    type: "gauge",
    help: "How long one read of the store has just taken.",
    labels: {},
  },
  store_bytes: { type: "gauge", help: "The size of the store's file and its log.", labels: {} },
  disk_free_bytes: {
    type: "gauge",
    help: "Free space on the file system of the store.",
    labels: {},
  },
  job_age_seconds: {
    type: "gauge",
    help: "Time since the last run of a job ended, in any process.",
    labels: { task: null },
  },
  job_period_seconds: {
    type: "gauge",
    help: "How often a job should run.",
    labels: { task: null },
  },
  job_ok: {
    type: "gauge",
    help: "1 if the last run of a job succeeded; 0 if it failed or its process died.",
    labels: { task: null },
  },
  outbox_waiting: {
    type: "gauge",
    help: "Messages that have not been sent yet; at most 100 are counted.",
    labels: { channel: CHANNELS },
  },
  outbox_oldest_seconds: {
    type: "gauge",
    help: "The age of the oldest message that has not been sent yet; 0 if there is none.",
    labels: { channel: CHANNELS },
  },
  outbox_dead: {
    type: "gauge",
    help: "Messages that were given up and are still stored; at most 100 are counted.",
    labels: { channel: CHANNELS },
  },
  gauges_missing: {
    type: "gauge",
    help: "Gauges that could not be read within a second.",
    labels: {},
  },
} as const satisfies Record<string, Metric>;

type Table = typeof METRICS;
export type MetricName = keyof Table;

type NamesOf<Type> = { [Name in MetricName]: Table[Name]["type"] extends Type ? Name : never }[
  MetricName
];
export type CounterName = NamesOf<"counter">;
export type GaugeName = NamesOf<"gauge">;

type ValueOf<Values> = Values extends readonly (infer Value)[] ? Value : string;

/** The labels of a metric with the type of their values. */
export type LabelsOf<Name extends MetricName> = {
  -readonly [Label in keyof Table[Name]["labels"]]: ValueOf<Table[Name]["labels"][Label]>;
};

/** Returns the name of a metric in the Prometheus format. */
export const fullName = (name: MetricName): string =>
  `gatehouse_${name}${METRICS[name].type === "counter" ? "_total" : ""}`;

/** The histogram of requests, which has its own labels. */
export const REQUESTS = "gatehouse_request_duration_seconds";
