import type { SeriesSet } from "../../lib/chart/mod.ts";
import type { Drawing } from "./Explorer.tsx";

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
  /** Draws straight lines without points, for long series. */
  plain: boolean;
  /** CSS pixels. */
  height: number;
  texts: Texts;
}

/** A drawn chart with its crosshair. */
export interface Plot extends Drawing {
  /** Draws other data or texts, or in another size; what {@linkcode plotKey} names must stay. */
  update(input: PlotInput): void;
  destroy(): void;
}

/** What makes a new plot necessary; all the rest is an update. */
export function plotKey({ type, set }: Pick<PlotInput, "type" | "set">): string {
  return [type, ...set.series.map(({ color }) => color)].join();
}
