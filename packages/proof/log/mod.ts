/**
 * The public formats of the log (standard, "Transparency log"). `lib/features/log` stores a log.
 *
 * @module
 */
export {
  type Checkpoint,
  formatCheckpoint,
  parseCheckpoint,
  parseSize,
  readCheckpoint,
  type SignedCheckpoint,
} from "./checkpoint.ts";
export {
  completionEntry,
  documentEntry,
  documentSlot,
  type DocumentStatement,
  entryBytes,
  eventCommitmentBytes,
  eventEntry,
  eventSlot,
  keySetEntry,
  type LogEntry,
  loggedKeySet,
  newLogSalt,
  parseEntry,
  SALT_BYTES,
} from "./entries.ts";
export {
  appendLeaf,
  consistencySteps,
  type Edge,
  edgeNodes,
  EMPTY_ROOT,
  inclusionSteps,
  isConsistent,
  isEqual,
  isIncluded,
  leafHash,
  type Node,
  nodeHash,
  rootOf,
  sha256Bytes,
  subtreesOf,
} from "./merkle.ts";
export {
  createSigner,
  formatNote,
  formatSignature,
  formatVerifierKey,
  isChecked,
  LOG_KEY,
  MAX_NOTE_BYTES,
  type Note,
  type NoteSignature,
  type NoteSigner,
  parseNote,
  parseSignature,
  parseVerifierKey,
  type VerifierKey,
  verifyNote,
  verifySignature,
  WITNESS_KEY,
} from "./note.ts";
export {
  EMPTY_POLICY,
  ownWitnessComment,
  parsePolicy,
  type Policy,
  PolicyError,
  type PolicyLog,
  type PolicyWitness,
  quorumProblem,
  satisfiesQuorum,
  uncheckedWitnesses,
} from "./policy.ts";
export { formatProof, type LogProof, MAX_PROOF_HASHES, parseProof } from "./proof.ts";
export {
  BUNDLE_ENTRY_BYTES,
  decodeBundle,
  encodeBundle,
  parseTilePath,
  readNodes,
  readProof,
  type ReadTiles,
  type SizedTile,
  type Tile,
  TILE_WIDTH,
  tileBytes,
  tilePath,
  tilesOf,
  tileWidth,
} from "./tiles.ts";
export {
  type Cosignature,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  verifyProof,
} from "./verify.ts";
