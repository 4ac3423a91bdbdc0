import type { GaugeReading, Metrics, Sample } from "./metrics.ts";
import { BOUNDS } from "./request_times.ts";
import { fullName, METRICS, REQUESTS } from "./table.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Writes all metrics in the text format of Prometheus. */
export function prometheusText(metrics: Metrics, gauges: readonly GaugeReading[]): string {
  const lines: string[] = [];
  for (const { name, samples } of [...metrics.counters(), ...gauges]) {
    const { type, help } = METRICS[name];
    const full = fullName(name);
    lines.push(`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`);
    for (const sample of samples) lines.push(lineOf(full, sample));
  }
  lines.push(
    `# HELP ${REQUESTS} Time until the headers of a response are sent.`,
    `# TYPE ${REQUESTS} histogram`,
  );
  for (const { surface, route, status, buckets, seconds } of metrics.requests.rows()) {
    const labels = { surface, route, status };
    let count = 0;
    for (const [i, inBucket] of buckets.entries()) {
      count += inBucket;
      const le = i < BOUNDS.length ? String(BOUNDS[i]) : "+Inf";
      lines.push(lineOf(`${REQUESTS}_bucket`, { labels: { ...labels, le }, value: count }));
    }
    lines.push(lineOf(`${REQUESTS}_sum`, { labels, value: seconds }));
    lines.push(lineOf(`${REQUESTS}_count`, { labels, value: count }));
  }
  return lines.join("\n") + "\n";
}

function lineOf(name: string, { labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

const escape = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
