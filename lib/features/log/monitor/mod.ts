/**
 * A monitor of a public log: it checks everything that the log publishes, keeps a copy, and needs to know no
 * record (standard, "Transparency log").
 *
 * @module
 */
export {
  createMonitor,
  type Finding,
  type FollowOptions,
  type MonitorFault,
  type Round,
} from "./follow.ts";
export { type Kept, openKept, type SeenCheckpoint } from "./kept.ts";
