/**
 * The store as a whole: which one it is, and whether it may be used.
 *
 * @module
 */
export { backupTable, type LastBackup, readBackup, recordBackup } from "./backups.ts";
export { STORE_METRICS, storeGauges } from "./gauges.ts";
export * from "./guard.ts";
export * from "./marker.ts";
export {
  fingerprints,
  formatTable,
  importedFormat,
  refusesSecrets,
  type StoreFormat,
} from "./format_row.ts";
export { migrate } from "./migrate.ts";
export { resealStep } from "./reseal_step.ts";
export { createStoreWork, type StoreWork, type WorkState } from "./work.ts";
export type { Migration } from "./migration.ts";
export * from "./readiness.ts";
export * from "./refuses_format.ts";
