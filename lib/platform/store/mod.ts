/**
 * The store as a whole: which one it is, and whether it may be used.
 *
 * @module
 */
export { backupTable, type LastBackup, readBackup, recordBackup } from "./backups.ts";
export { STORE_METRICS, storeGauges } from "./gauges.ts";
export * from "./guard.ts";
export * from "./marker.ts";
export { formatTable, migrate } from "./migrate.ts";
export { deleteStep } from "./delete_step.ts";
export { indexMigration } from "./index_step.ts";
export type { Migration } from "./migration.ts";
export * from "./readiness.ts";
