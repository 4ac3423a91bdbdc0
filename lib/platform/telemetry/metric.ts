/** The values of each label; null for a set that depends on the configuration. */
type LabelSets = Readonly<Record<string, readonly string[] | null>>;

/**
 * A number that a feature counts or reads. Label values come from fixed sets, never from a request, so
 * that they contain nothing secret or personal and their number stays small. Prometheus reserves the
 * labels `job` and `instance`.
 */
export interface Metric<
  Type extends "counter" | "gauge" = "counter" | "gauge",
  Labels extends LabelSets = LabelSets,
> {
  type: Type;
  /** The name in the format of Prometheus. */
  name: string;
  help: string;
  labels: Labels;
}

export type Counter<Labels extends LabelSets = LabelSets> = Metric<"counter", Labels>;
export type Gauge<Labels extends LabelSets = LabelSets> = Metric<"gauge", Labels>;

/** The values of a metric's labels. */
export type LabelsOf<Labels extends LabelSets> = {
  -readonly [Label in keyof Labels]: Labels[Label] extends readonly (infer Value extends string)[]
    ? Value
    : string;
};

/** The values of the label `organisation`. */
export const ORGANISATIONS = ["foundation", "commercial"] as const;

/**
 * Declares a counter. The feature that counts lists it in its `metrics`.
 *
 * @example
 * ```ts
 * const mails = counter("mails", "Attempts to send mail.", { outcome: ["sent", "failed"] });
 * count(mails, { outcome: "sent" });
 * ```
 */
export const counter = <const Labels extends LabelSets>(
  name: string,
  help: string,
  labels: Labels,
): Counter<Labels> => ({ type: "counter", name: `gatehouse_${name}_total`, help, labels });

/** Declares a gauge. The feature that reads it lists it in its `metrics`. */
export const gauge = <const Labels extends LabelSets>(
  name: string,
  help: string,
  labels: Labels,
): Gauge<Labels> => ({ type: "gauge", name: `gatehouse_${name}`, help, labels });

/** The value of a gauge for one combination of labels. */
export interface Sample {
  gauge: Gauge;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Reads the values of a group of gauges. If it fails, the whole group is missing. */
export type ReadGauges = () => readonly Sample[] | Promise<readonly Sample[]>;

/** Returns the value of a gauge. */
export const sample = <Labels extends LabelSets>(
  gauge: Gauge<Labels>,
  value: number,
  labels: LabelsOf<Labels>,
): Sample => ({ gauge, labels, value });
