/**
 * A monitor of a public log: it checks everything that the log publishes, keeps a copy, and needs to know no
 * record (standard, "Transparency log").
 *
 * @module
 */
export { type LogCopy, LogCopyError, openCopy, readBundles } from "./copy.ts";
export { keepEvidence } from "./evidence.ts";
export type { Finding } from "./finding.ts";
export { createMonitor, type Round } from "./follow.ts";
export { openKept } from "./kept.ts";
