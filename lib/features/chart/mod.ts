/**
 * The parts of the chart that need no browser: data, series, ranges, formats and geometry.
 *
 * @module
 */
export * from "./data.ts";
export * from "./format.ts";
export * from "./ranges.ts";
export * from "./series.ts";
export * from "./slices.ts";
