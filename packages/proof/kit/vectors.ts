/**
 * The test vectors of the standard, with their types.
 *
 * @module
 */
import type { ChainEvent, Head, PrivateJwk, VerifiableRecord } from "../chain/mod.ts";
import data from "./vectors.json" with { type: "json" };

/** A chain with all intermediate values, bytes as hexadecimal text. */
export interface ChainVector {
  id: string;
  title: string;
  record: VerifiableRecord;
  salt: string;
  recordCanonical: string;
  recordPreimage: string;
  recordHash: string;
  events: {
    event: ChainEvent;
    canonical: string;
    preimage: string;
    prev: string;
    hash: string;
  }[];
  head?: {
    privateKey: PrivateJwk;
    thumbprintInput: string;
    kid: string;
    canonical: string;
    message: string;
    signature: string;
    signed: Head;
  };
}

/** A change to the last valid chain, and the fault that a verifier must report for it. */
export interface InvalidVector {
  change: string;
  edit:
    | { remove: number }
    | { event: number; member: string; value: string }
    /** The events by their `seq`, in the order in which they are given. */
    | { order: number[] };
  seq: number;
  code: string;
}

/** A change to the head of the last valid chain, and the fault that a verifier must report for it. */
interface HeadVector {
  change: string;
  edit: { member: string; value: string | number };
  code: string;
}

/** The head of the last valid chain with another key, `kid` or signature. */
export interface SignatureVector {
  id: string;
  title: string;
  /** The public key, which is the only one in the key set. */
  x: string;
  kid: string;
  signature: string;
  /** Null if the head is valid. */
  code: string | null;
}

/** The last valid chain and its head as JSON text, with a change. */
interface TextVector {
  change: string;
  text: string;
  /** Null if the chain is still valid. */
  code: string | null;
  seq?: number;
}

/** An entry of the log with all intermediate values, as hexadecimal text. */
interface LogEntryVector {
  id: string;
  title: string;
  /** The content of the entry, as the conformance kit sends it. */
  input: Record<string, unknown> & { kind: string };
  slotPreimage: string;
  slot: string;
  commitmentPreimage: string;
  commitment: string;
  leaf: string;
}

/** A request of the conformance kit about the log. */
export type LogRequest = Record<string, unknown> & { op: string };

interface LogVectors {
  readonly origin: string;
  readonly logKey: PrivateJwk;
  readonly logVkey: string;
  readonly witnessKey: PrivateJwk;
  readonly witnessVkey: string;
  /** The time of the countersignature, in seconds since 1970. */
  readonly time: number;
  readonly policy: string;
  readonly entries: readonly LogEntryVector[];
  /** The roots of the first one, two, three and four entries. */
  readonly roots: readonly string[];
  readonly checkpoint: string;
  readonly proof: string;
  readonly proofSha256: string;
  readonly valid: readonly {
    title: string;
    request: LogRequest;
    response: Readonly<Record<string, string | number | boolean>>;
  }[];
  readonly invalid: readonly { change: string; code: string; request: LogRequest }[];
}

/**
 * The standard's test vectors. They were computed without this package, and never change, because the text prints
 * the same values. A new version adds some at the end of each list.
 */
export const VECTORS = data as unknown as {
  readonly version: string;
  readonly valid: readonly ChainVector[];
  readonly invalid: readonly InvalidVector[];
  readonly heads: readonly HeadVector[];
  readonly signatures: readonly SignatureVector[];
  readonly texts: readonly TextVector[];
  /** The values of the transparency log, since version 1.2. */
  readonly log: LogVectors;
};

/**
 * The records of the valid vectors as the text prints them, with its escapes and numbers, each in one line. A test
 * of the standard compares them.
 */
export const PRINTED_RECORDS: readonly string[] = [
  String.raw`{"name": "Example Person","email": "person@example.org"}`,
  String
    .raw`{"name": "Zoë Åström","message": "Grüße, 日本語 \ud83d\ude00\n\"quoted\" €","copies": 1e+21,"share": 4.50,"consent": true,"mobile": null,"\ufb01": "sorts last","\ud83d\ude00": "sorts before U+FB01"}`,
];
