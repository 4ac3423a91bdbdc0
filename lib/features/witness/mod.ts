/** A witness: it countersigns checkpoints of logs that only grow (C2SP tlog-witness). */
export {
  addCheckpoint,
  latestCheckpoint,
  MONITOR_PATH,
  policyLine,
  refusedCheckpoints,
} from "./responses.ts";
export { formatVerifierKey as formatKey } from "../../../packages/proof/mod.ts";
export { originHash } from "./rows.ts";
export { type Witness, type WitnessedLog } from "./witness.ts";
