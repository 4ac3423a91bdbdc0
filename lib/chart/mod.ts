/**
 * The chart's core, without a browser: data in order, ranges, totals, formats, marks, the table.
 *
 * @module
 */
export { accumulate } from "./accumulate.ts";
export { type Arc, arcsOf, totalOf } from "./arcs.ts";
export { DAY, dayOf, parseIsoDate, startOfDay } from "./dates.ts";
export { sameData } from "./equal.ts";
export { labelFormatter, NO_VALUE, tickFormatter, valueFormatter } from "./format.ts";
export { nextIndex } from "./keys.ts";
export * from "./palette.ts";
export { parseChartData } from "./parse.ts";
export { boundsOf, DEFAULT_RANGE, type Range, RANGES, select, type Selection } from "./ranges.ts";
export { hasValues, isLong, type Series, type SeriesSet, toSeries } from "./series.ts";
export { TABLE_ROWS, type TableData, tableOf } from "./table.ts";
export type * from "./types.ts";
