import type { Table } from "./table.ts";

/** Ratios by CPU time, by benchmark and by what is compared with what. */
export type Ratios = Record<string, Record<string, number>>;

/** A ratio below this share of the stored one is a fault. Busy machines change ratios by less. */
const LEAST_SHARE = 0.5;

/** Returns the ratios of a benchmark's tables, without those that could not be measured. */
export const ratiosOf = (tables: readonly Table[]): Record<string, number> =>
  Object.fromEntries(
    tables.flatMap(({ rows }) => rows).flatMap(({ ratio }) =>
      ratio === undefined || !Number.isFinite(ratio.value)
        ? []
        : [[ratio.name, Number(ratio.value.toFixed(2))]]
    ),
  );

/** Returns a line for each stored ratio of a measured benchmark that is missing, or below half of its value. */
export function faultsOf(measured: Ratios, stored: Ratios): string[] {
  return Object.entries(measured).flatMap(([benchmark, ratios]) =>
    Object.entries(stored[benchmark] ?? {}).flatMap(([name, before]) => {
      const ratio = ratios[name];
      if (ratio === undefined) {
        return [`${benchmark}: ${name}: not measured, but stored as ${before}`];
      }
      return ratio >= LEAST_SHARE * before
        ? []
        : [`${benchmark}: ${name}: ${ratio}, which is below half of ${before}`];
    })
  );
}
