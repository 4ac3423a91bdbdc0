import { packageName, type Qualification } from "./qualification.ts";

export interface FilterOption {
  value: string;
  text: string;
}

export interface FilterOptions {
  level: FilterOption[];
  package: FilterOption[];
}

/** Returns the levels and training packages of qualifications, sorted. */
export function filterOptions(all: readonly Qualification[]): FilterOptions {
  const levels = new Map<number, Set<string>>();
  const packages = new Map<string, string>();
  for (const qualification of all) {
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
