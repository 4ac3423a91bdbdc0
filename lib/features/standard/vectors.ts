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
  edit: { remove: number } | { event: number; member: string; value: string };
  seq: number;
  code: string;
}

/**
 * The standard's test vectors. They were computed once, without `lib/features/chain`, and never change,
 * because the text prints the same values.
 */
export const VECTORS = data as unknown as {
  readonly version: string;
  readonly valid: readonly ChainVector[];
  readonly invalid: readonly InvalidVector[];
};
