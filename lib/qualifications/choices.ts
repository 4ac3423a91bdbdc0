import type { Catalogue, Qualification } from "./mod.ts";

/** One choice of a filter. */
export interface Choice {
  value: string;
  text: string;
}

/** What the filters offer, besides everything. */
export interface Choices {
  level: Choice[];
  package: Choice[];
}

/** The levels and training packages that a catalogue has, in order. */
export function choicesOf(catalogue: Catalogue): Choices {
  const levels = new Map<number, Set<string>>();
  const packages = new Map<string, string>();
  for (const qualification of catalogue.all) {
    const { aqf_level, level_name, training_package } = qualification;
    levels.set(aqf_level, (levels.get(aqf_level) ?? new Set()).add(level_name));
    packages.set(training_package.code, packageName(qualification));
  }
  return {
    level: [...levels].sort(([a], [b]) => a - b).map(([level, names]) => ({
      value: String(level),
      text: `${level} · ${[...names].sort().join(", ")}`,
    })),
    package: [...packages].sort().map(([code, name]) => ({
      value: code,
      text: `${code} · ${name}`,
    })),
  };
}

/** A training package's title without the words that all of them end with. */
export const packageName = ({ training_package }: Qualification): string =>
  training_package.title.replace(/ Training Package$/, "");
