/**
 * Verifies what a publisher of verifiable records states, without trusting it: chains of events and their
 * signed heads, documents, and the public log. For browsers, Node 20 and later, and Deno. It needs
 * no other file, stores nothing by itself, and requests only addresses that it is given or that follow from the
 * publisher's host.
 *
 * Requires WebCrypto with Ed25519, which browsers provide only on secure pages: HTTPS or localhost.
 */

/** The version of this module. */
export const VERSION: string;

// ---------------------------------------------------------------------------------------------------
// Records and documents

/** The publisher whose log is checked, the reader's trust, and the permitted requests. */
export interface LogAccess {
  /** The host that you expect, with its port if it has one. The name of its log follows from it. */
  publisher: string;
  /** Whom you trust. */
  trust: ReaderTrust;
  /** True to request nothing. Default: false. */
  offline?: boolean;
  /** Default: the global function. */
  fetch?: typeof fetch;
  signal?: AbortSignal;
  /** Your clock, in milliseconds since 1970. Default: the computer's clock. */
  now?: number;
}

/** The chain to verify: at an address, or in a saved file. */
export type RecordQuestion =
  & LogAccess
  & {
    /** The record's hash, from another source than the chain: a QR code, a printout, or the record itself. */
    hash: string;
    /** The publisher's keys. Default: requested from the publisher, or those in the file if `offline`. */
    keys?: readonly unknown[];
    /** Called after each page of a chain with the number of events read and the expected total. */
    onProgress?: (read: number, total: number) => void;
  }
  & (
    | {
      /** The address of the chain: `…/api/chain/<hash>`. */
      url: string;
    }
    | {
      /** The text of a saved file. */
      file: string;
    }
  );

/** The result for a record. */
export interface RecordResult {
  /**
   * True if the chain is verified and the log does not contradict it. It does not say that the record is in
   * the log: `sentence` does.
   */
  ok: boolean;
  /** The chain and its signed head, or the first fault. */
  chain: ChainVerification;
  /** The verified events; empty if the chain is not verified. */
  events: LinkedEvent[];
  /** Where the keys come from. Those of a file are worth no more than the file: its author may have made them. */
  keysFrom: "caller" | "publisher" | "file";
  /** Null if the chain is not verified, because then nothing is compared with the log. */
  log: LogFinding | null;
  /** The log's finding in words. */
  sentence: LogSentence | null;
}

/**
 * Verifies a record: the hashes of its events, the publisher's signature, and whether the public log has it. If
 * a file also has the record itself, its content must have the hash.
 *
 * @throws {ChainReadError} (rejects) if the chain or the publisher's keys cannot be read
 * @example
 * const result = await verifyRecord({
 *   url: `https://api.example/api/chain/${hash}`,
 *   hash, // from the record's QR code
 *   publisher: "trust.example",
 *   trust: { policy: parsePolicy(text), memory: createMemory() },
 * });
 * if (result.ok) console.log(result.events.length, result.sentence.text);
 */
export function verifyRecord(question: RecordQuestion): Promise<RecordResult>;

/** A publisher's statement about a version of a document: one of the `matches` that its check reports. */
export interface ReportedDocument {
  version: number;
  /** In ISO 8601. */
  registered_at: string;
  /** Absent if the document is not public, or not in the log yet. */
  log?: {
    /** The id of the document, without hyphens. */
    id: string;
    /** The statements about this version, in their order. */
    statements: readonly {
      n: number;
      at: string;
      state: "registered" | "withdrawn";
      original: string;
      issued: string | null;
      log_proof?: string;
    }[];
  };
}

/** A file, and what its publisher says about it. */
export interface DocumentQuestion extends LogAccess {
  /** The bytes of the file. */
  file: Uint8Array<ArrayBuffer> | ArrayBuffer;
  match: ReportedDocument;
}

/** The result for a file. */
export interface DocumentResult {
  /**
   * True if the publisher has stated something about exactly this file, and the log does not contradict it. It
   * does not say that the statement is in the log: `sentence` does.
   */
  ok: boolean;
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string;
  /**
   * The content of the last statement about this file in the match; null if there is none. The log shows that the
   * publisher has made it, not that it is the newest about the document.
   */
  state: "registered" | "withdrawn" | null;
  log: LogFinding;
  /** The log's finding in words. */
  sentence: LogSentence;
}

/**
 * Verifies a document: whether the publisher has stated something about these bytes, and whether the public log
 * has the statement.
 *
 * @example
 * const { matches } = await response.json(); // of https://trust.example/check?sha256=<hash>
 * const result = await verifyDocument({ file, match: matches[0], publisher: "trust.example", trust });
 */
export function verifyDocument(question: DocumentQuestion): Promise<DocumentResult>;

// ---------------------------------------------------------------------------------------------------
// Whom you trust

/** Whom a reader trusts. */
export interface ReaderTrust {
  /**
   * Your own policy: whose countersignatures count, and the keys of logs that you know. What a publisher
   * serves is only a suggestion.
   */
  policy: Policy;
  /** The keys that were seen first, and the newest checkpoints. Keep it: a new memory compares nothing. */
  memory: LogMemory;
  /**
   * Returns the keys of the log, as somebody else states them. They are used and remembered if you know none.
   * Default: reads the policy that the log serves.
   */
  suggest?(): Promise<readonly VerifierKey[]>;
  /** True to accept other keys than the remembered ones. The remembered checkpoint is forgotten with them. */
  acceptKey?: boolean;
}

/** A policy file that was read (C2SP tlog-policy). */
export interface Policy {
  logs: { key: VerifierKey; url: string | null }[];
  witnesses: PolicyWitness[];
  groups: { name: string; threshold: number; members: string[] }[];
  /** The name of the witness or group whose signatures a checkpoint needs; null for none. */
  quorum: string | null;
}

export interface PolicyWitness {
  /** Its name in the policy, which sentences use. */
  name: string;
  key: VerifierKey;
  url: string | null;
  /** True if a comment says that the operator of the log runs it, so that it proves nothing against it. */
  own: boolean;
}

/** A public key that verifies signatures of notes: a "vkey". */
export interface VerifierKey {
  name: string;
  /** 8 hexadecimal digits. */
  id: string;
  /** 1: the key of a log; 4: that of a witness by Ed25519; 6: by ML-DSA-44. Lines by later ones are not checked. */
  type: number;
  publicKey: Uint8Array<ArrayBuffer>;
}

/** A policy that knows nobody, so that no countersignature counts. */
export const EMPTY_POLICY: Policy;

/**
 * Reads a policy file.
 *
 * @throws {PolicyError} for a line that is not valid, and for a policy without a quorum
 * @example
 * const policy = parsePolicy(`
 *   log trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea
 *   witness other witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM
 *   quorum other
 * `);
 */
export function parsePolicy(text: string): Policy;

/** The line of a policy that is not valid, and why. */
export class PolicyError extends Error {
  constructor(line: number, problem: string);
  override readonly name: "PolicyError";
  readonly code: "bad_policy";
  /** Counted from 1. */
  readonly line: number;
}

/** A reader's memory of a log, so that the reader cannot be shown another one later. */
export interface RememberedLog {
  /** The newest checkpoint that was verified, with its signatures; null before the first. */
  checkpoint: string | null;
  /** The log's keys that were seen first, or that the reader has accepted since, as text. */
  keys: string[];
}

/** Where a reader keeps it, by the name of the log. */
export interface LogMemory {
  read(origin: string): Promise<RememberedLog | null>;
  write(origin: string, remembered: RememberedLog): Promise<void>;
}

/** Returns a memory that lasts as long as the program. */
export function createMemory(): LogMemory;

/**
 * Returns a memory in a browser's storage, such as `localStorage`. Scripts of the same origin can read and
 * change it.
 *
 * @param prefix begins the names of the entries. Default: `log` and a space
 */
export function storageMemory(
  storage: { getItem(name: string): string | null; setItem(name: string, value: string): void },
  prefix?: string,
): LogMemory;

/**
 * Checks whether this browser or runtime can verify: `insecure` means that the page is not a secure context,
 * so WebCrypto is missing; `no_ed25519` means that WebCrypto lacks Ed25519.
 */
export function verifierSupport(): Promise<"ok" | "insecure" | "no_ed25519">;

// ---------------------------------------------------------------------------------------------------
// Chains

/** An event of a chain, with the hash of the one before it and its own. */
export interface LinkedEvent {
  seq: number;
  /** The kind of event, such as `email_confirmed`. */
  kind: string;
  /** When, in ISO 8601. */
  at: string;
  status: "ok";
  prev: string;
  hash: string;
}

/** The publisher's signed statement of a chain's length and last hash. */
export interface Head {
  /** `<publisher>/<record hash>` */
  origin: string;
  size: number;
  tip: string;
  at: string;
  kid: string;
  signature: string;
}

/**
 * The head covers the first `signedSize` events; later ones are linked but not signed yet. Codes are those of
 * the standard; `seq` is present when a fault concerns one event.
 */
export type ChainVerification =
  | { ok: true; size: number; tip: string; signedSize: number; head: Head; message?: undefined }
  | { ok: false; seq?: number; code: string; message: string };

/**
 * Verifies a chain from its record's hash to its signed head (standard, "Verification"). Malformed input
 * yields a fault, never an exception.
 */
export function verifyChain(evidence: {
  recordHash: string;
  events: readonly unknown[];
  head: unknown;
  publisher: string;
  keys: readonly unknown[];
}): Promise<ChainVerification>;

/** The addresses of a record, as its registration returns them. */
export interface RecordAddresses {
  hash: string;
  /** The chain, such as `https://api.example/api/chain/<record hash>`. */
  chain_url: string;
  /** The page that verifies it, on the publisher's host. */
  verify_url: string;
}

/**
 * Says in one sentence whether a new record is in the public log, for whoever has just registered it: after 15
 * seconds, then after 1, 3 and 11 minutes until it is. Requests go to the chain's host only, so the keys and
 * the witnesses are those that the publisher suggests. Others should use `verifyRecord`.
 *
 * @param onSentence called with each result. What cannot be read is tried again the next time
 * @returns a function that stops it
 */
export function watchNewRecord(
  record: RecordAddresses,
  onSentence: (sentence: LogSentence) => void,
  options?: { fetch?: typeof fetch; signal?: AbortSignal },
): () => void;

/** Why something could not be read. It says nothing about its validity. */
export class ChainReadError extends Error {
  constructor(code: ChainReadError["code"], message: string, options?: ErrorOptions);
  override readonly name: "ChainReadError";
  readonly code: "not_found" | "unreachable" | "bad_response" | "too_large";
}

export interface ReadOptions {
  fetch?: typeof fetch;
  signal?: AbortSignal;
}

/**
 * Reads a chain from its end back to event 0. Nothing is verified.
 *
 * @param url `…/api/chain/<record hash>`
 * @throws {ChainReadError} (rejects) if it cannot be read
 */
export function fetchChain(
  url: string,
  options?: ReadOptions & { onProgress?: (read: number, total: number) => void },
): Promise<{ head: unknown; log_proof?: unknown; events: unknown[] }>;

/**
 * Reads a publisher's keys.
 *
 * @param url `https://<publisher>/.well-known/chain-keys.json`
 * @throws {ChainReadError} (rejects) if they cannot be read
 */
export function fetchKeys(url: string, options?: ReadOptions): Promise<unknown[]>;

/** The content of a saved file. Its author controls all of it. */
export interface SavedChain {
  hash: string;
  publisher: string;
  head: unknown;
  keys: unknown[];
  log_proof?: unknown;
  events: unknown[];
  /** The record and its salt, only in the holder's own copy. */
  record?: unknown;
  salt?: unknown;
}

/** Reads a saved file. If it is damaged, `seq` is the broken event if that can be told. */
export function parseSavedChain(
  text: string,
): { ok: true; chain: SavedChain } | { ok: false; code: string; seq?: number; message: string };

/**
 * Returns the hash of a record, which is a commitment to its content.
 *
 * @param salt 32 bytes
 * @throws {Error} (rejects) for another length, or a record that is not a JSON object
 */
export function recordHash(salt: Uint8Array, record: Record<string, Json>): Promise<string>;

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

// ---------------------------------------------------------------------------------------------------
// The public log

/** A reader's findings about statements in a log. */
export interface LogFinding {
  origin: string;
  /** The number of statements. */
  size: number;
  /** The largest number of statements whose proof is valid; 0 for none. */
  logged: number;
  /** True if all later ones are so new that they need not be in the log yet. */
  fresh: boolean;
  /** True if that was so when a file was saved, which is longer ago, so that it shows nothing about them now. */
  outdated: boolean;
  /** Where the last logged statement is, and the key that has signed that; null without a valid proof. */
  place: { index: number; size: number; keyId: string } | null;
  /**
   * The earliest countersignature by a witness of your policy, in the proof or, if only that satisfies your policy, in
   * the newest checkpoint that does; null if there is none.
   */
  countersigned: Countersignature | null;
  /**
   * A proof against the newest checkpoint that satisfies your policy better than the proof that was received; null if
   * there is none. In a saved file, it takes the place of `log_proof`.
   */
  renewed: string | null;
  /** When the log was countersigned last, if that is longer ago than it should be. Null if it was not read. */
  staleSince: string | null;
  /** `log`: compared with the newest checkpoint of the log; `proof`: only the proof itself was checked. */
  checked: "log" | "proof";
  /** Why the log could not be read, although it was tried. */
  unread: string | null;
  fault: { code: LogFault; message: string } | null;
  /** Two checkpoints that contradict each other. Save them: they are the evidence. */
  contradiction: Contradiction | null;
  /** The keys by which the log is known here, as text. */
  keys: string[];
  /** True if this check has remembered them: the first that were seen, or accepted ones. */
  isNewKey: boolean;
}

export interface Countersignature {
  /** The witness's name in your policy. */
  name: string;
  /** In ISO 8601. */
  at: string;
  /** True if the log's operator runs the witness too, so that it proves nothing against it. */
  own: boolean;
}

export type LogFault =
  | "log_malformed"
  | "log_unknown"
  | "log_signature"
  | "log_quorum"
  | "log_inclusion"
  | "log_inconsistent"
  | "log_missing";

/** A finding in one sentence, and how to show it. */
export interface LogSentence {
  /**
   * `good`: an independent witness has countersigned it; `fair`: it is in the publisher's log; `warning`: it
   * should be in the log and is not, or could not be checked; `bad`: proof of misconduct.
   */
  tone: "good" | "fair" | "warning" | "bad";
  text: string;
}

/** Says a finding in one sentence. */
export function logSentence(finding: LogFinding, subject?: "record" | "document"): LogSentence;

/** Returns whether the log contradicts what was checked, and does not only lack it. */
export function isContradicted(finding: LogFinding): boolean;

/** One statement that should be in the log. */
export interface Statement {
  /** When it was made, in ISO 8601. */
  at: string;
  /** @param salt the `log_salt` of the proof */
  entryOf(salt: Uint8Array): LogEntry;
}

export interface LogQuestion {
  /** The name of the log: the publisher, followed by `/log`. */
  origin: string;
  /** Every statement so far, the oldest first. They must have been verified. */
  statements: readonly Statement[];
  /** The proof as it was received: a text, or anything else if there is none. */
  proof: unknown;
  trust: ReaderTrust;
  /** Reads the log's newest files. Undefined if nothing may be requested. */
  log?: LogReader;
  /** The time to compare with, in milliseconds since 1970: now, or when a file was saved. */
  asOf: number;
  /** Your clock, in milliseconds since 1970. */
  now: number;
}

/**
 * Checks whether statements are in a public log, by your own policy and memory. If the log can be read, the
 * proof is also compared with its newest checkpoint. Malformed input yields a fault, never an exception.
 */
export function checkLog(question: LogQuestion): Promise<LogFinding>;

/**
 * Returns what the log should have about a chain: each of its sizes.
 *
 * @param events verified events, from event 0 on
 */
export function chainStatements(
  record: string,
  events: readonly Pick<LinkedEvent, "at" | "hash">[],
): Statement[];

/** One statement about a document. */
export interface DocumentStatement {
  /** The document's id, without hyphens. */
  id: string;
  /** The number of the statement, from 1. */
  n: number;
  version: number;
  state: "registered" | "withdrawn";
  /** SHA-256 of the original's bytes, in hexadecimal digits. */
  original: string;
  /** SHA-256 of the issued copy's bytes; null if there is none. */
  issued: string | null;
  /** The document's `log_salt`. */
  salt: Uint8Array;
}

/**
 * Returns what the log should have about a version of a document.
 *
 * @param at when it was registered or withdrawn, in ISO 8601
 */
export function documentStatement(
  statement: Omit<DocumentStatement, "salt">,
  at: string,
): Statement;

/** The files of a log that a verifier needs. */
export interface LogReader {
  /** @throws {ChainReadError} (rejects) if the newest checkpoint cannot be read */
  checkpoint(): Promise<string>;
  /**
   * Returns other checkpoints, the newest first, in case the newest one does not satisfy a policy. Absent if the log
   * has none to offer.
   *
   * @throws {ChainReadError} (rejects) if they cannot be read
   */
  checkpoints?(): Promise<readonly string[]>;
  /** @throws {ChainReadError} (rejects) if the policy that the publisher suggests cannot be read */
  policy(): Promise<string>;
  /** @throws {ChainReadError} (rejects) if a tile cannot be read */
  tiles(
    tiles: readonly { level: number | "entries"; index: number; width: number }[],
  ): Promise<readonly Uint8Array[]>;
}

/** Returns the address of a publisher's log; null if `publisher` is not a host. */
export function logUrl(publisher: string): string | null;

/** @param url the address of a log, without a trailing slash, such as `https://trust.example/log` */
export function readLogAt(url: string, options?: ReadOptions): LogReader;

/** Two signed checkpoints of one log that contradict each other. */
export interface Contradiction {
  older: string;
  newer: string;
  /**
   * The hashes of the newer tree's subtrees before and after the size of the older one, in base64. Null if the
   * log does not serve them.
   */
  nodes: string[] | null;
}

/**
 * Returns whether two checkpoints and the hashes prove that one key has signed two trees of which neither
 * extends the other. Verify the signatures separately, with {@link verifyCheckpoint}.
 */
export function isProof(contradiction: Contradiction): boolean;

/** The 64 bytes of an entry. */
export interface LogEntry {
  slot: Uint8Array<ArrayBuffer>;
  commitment: Uint8Array<ArrayBuffer>;
}

/** Returns the entry of a chain at one of its sizes; `tip` is the hash of its last event. */
export function eventEntry(
  chain: { record: string; size: number; tip: string; salt: Uint8Array },
): LogEntry;

/** Returns the entry of a statement about a document. */
export function documentEntry(statement: DocumentStatement): LogEntry;

/** A checkpoint that satisfies a policy. */
export interface VerifiedCheckpoint {
  origin: string;
  size: number;
  root: Uint8Array<ArrayBuffer>;
  /** By witnesses of the policy, the earliest first. `time` is in seconds since 1970. */
  cosignatures: { witness: PolicyWitness; time: number }[];
}

/**
 * Verifies a checkpoint by a policy, which must have the log's key.
 *
 * @param origin the log that you expect
 */
export function verifyCheckpoint(
  text: string,
  policy: Policy,
  origin: string,
): Promise<
  { ok: true; checkpoint: VerifiedCheckpoint } | { ok: false; error: LogFault; message?: string }
>;

/** A proof that an entry is in a log (C2SP tlog-proof). */
export interface LogProof {
  /** The `log_salt` that opens the entry; null if there is none. */
  extra: Uint8Array<ArrayBuffer> | null;
  index: number;
  hashes: Uint8Array<ArrayBuffer>[];
  checkpoint: string;
}

/**
 * Verifies that an entry is in a log, by a policy, which must have the log's key.
 *
 * @param entryOf returns the entry, from the proof's `extra`; null if it needs a salt and there is none
 * @param origin the log that you expect
 */
export function verifyProof(
  text: string,
  entryOf: (extra: LogProof["extra"]) => LogEntry | null,
  policy: Policy,
  origin: string,
): Promise<
  | { ok: true; checkpoint: VerifiedCheckpoint; proof: LogProof }
  | { ok: false; error: LogFault; message?: string }
>;
