/**
 * A monitor of a public log: it checks everything that the log publishes, keeps a copy, and needs to know no
 * record (standard, "Transparency log").
 *
 * @module
 */
export { type LogCopy, LogCopyError, openCopy, readBundles } from "./copy.ts";
export { keepEvidence } from "./evidence.ts";
export type { Evidence, Finding, MonitorFault } from "./finding.ts";
export { createMonitor, type FollowOptions, type Round } from "./follow.ts";
export { type Kept, openKept, type SeenCheckpoint } from "./kept.ts";
export type { RecordEntry, RecordReport } from "./record.ts";
