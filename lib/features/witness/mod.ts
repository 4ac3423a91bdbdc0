/** A witness: it countersigns checkpoints of logs that only grow (C2SP tlog-witness). */
export {
  addCheckpoint,
  latestCheckpoint,
  MONITOR_PATH,
  policyLine,
  refusedCheckpoints,
} from "./responses.ts";
export { formatVerifierKey as formatKey } from "../log/core.ts";
export { originHash } from "./rows.ts";
export { type Witness, type WitnessedLog } from "./witness.ts";
