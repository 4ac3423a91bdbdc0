import type { SeriesSet } from "../../lib/chart/mod.ts";

/** How a chart's texts are written. */
export interface Texts {
  /** A datum's label in full. */
  label: (set: SeriesSet, index: number) => string;
  value: (value: number | null) => string;
  /** The marks of the value axis. */
  ticks: (ticks: number[]) => string[];
}

/** What a plot draws. */
export interface PlotInput {
  type: "line" | "area" | "bar";
  set: SeriesSet;
  /** CSS pixels. */
  height: number;
  texts: Texts;
}

/** A drawn chart with its crosshair and tooltip. */
export interface Plot {
  /** Draws other data, texts or another height; what {@linkcode plotKey} names must stay. */
  update(input: PlotInput): void;
  /** Shows a datum, or with null none. */
  show(index: number | null): void;
  destroy(): void;
}

/** What makes a new plot necessary; all the rest is an update. */
export function plotKey({ type, set }: Pick<PlotInput, "type" | "set">): string {
  return JSON.stringify([type, set.series.map(({ label, color }) => [label, color])]);
}
