/**
 * The rows of a witness's own store. It contains nothing else, and is not part of any backup: a witness
 * that signs again with an older copy could countersign a fork.
 *
 * @module
 */
import { type Bytes, encodeHex, utf8 } from "../../base/bytes.ts";
import { sha256Bytes } from "../../../packages/proof/mod.ts";

/** The newest checkpoint that the witness has countersigned for a log. */
export interface WitnessedRow {
  origin: string;
  /** The signed text with the log's signatures, without those of others. */
  checkpoint: string;
  size: number;
  root: Bytes;
  /** The time of the cosignature, in seconds since 1970. It never decreases. */
  time: number;
}

/** A checkpoint that a log has signed, and that the witness refused. */
export interface RefusedRow {
  /** When it was refused, ISO 8601 in UTC. */
  at: string;
  /** True if the log has signed two roots for one size, which proves a fork to anybody. */
  fork: boolean;
  size: number;
  /** With the log's signatures. */
  checkpoint: string;
  /** The checkpoint that the witness had countersigned by then, with the log's signatures; null for none. */
  known: string | null;
  old: number;
  /** The hashes of the consistency proof in base64. */
  proof: string[];
}

/** The name and the key of the witness. A store belongs to one of each. */
export interface IdentityRow {
  /** The public key as text, with the name. */
  vkey: string;
  /** The generated private key; null if it is configured. */
  jwk: unknown;
}

/** Why the witness does not sign any more: its store is older than a cosignature of its own. */
export interface LostRow {
  at: string;
  origin: string;
  /** The checkpoint with the cosignature that the store does not know. */
  checkpoint: string;
}

/** The most refused checkpoints that are kept for each log. */
export const MAX_REFUSED = 100;

/** Returns the last part of a log's addresses: SHA-256 of its origin in hexadecimal digits. */
export const originHash = (origin: string): string => encodeHex(sha256Bytes(utf8(origin)));

export const IDENTITY_KEY: Deno.KvKey = ["identity"];
export const LOST_KEY: Deno.KvKey = ["lost"];
export const witnessedKey = (hash: string): Deno.KvKey => ["witnessed", hash];

/** @param text the signed text, so that a checkpoint that is sent again is kept once */
export const refusedKey = (hash: string, text: string): Deno.KvKey => [
  "refused",
  hash,
  encodeHex(sha256Bytes(utf8(text))),
];

/** Returns the refused checkpoints of a log, the newest first. */
export async function readRefused(
  kv: Deno.Kv,
  hash: string,
): Promise<Deno.KvEntry<RefusedRow>[]> {
  const entries = await Array.fromAsync(kv.list<RefusedRow>({ prefix: ["refused", hash] }));
  return entries.sort((a, b) => a.value.at < b.value.at ? 1 : -1);
}

/**
 * Keeps a refused checkpoint as evidence. Anyone can make a witness refuse an honest checkpoint, by sending it
 * with a wrong proof. So the checkpoints that prove nothing by themselves make room first.
 *
 * @returns false if it was kept before
 */
export async function keepRefused(
  kv: Deno.Kv,
  hash: string,
  text: string,
  row: RefusedRow,
): Promise<boolean> {
  const key = refusedKey(hash, text);
  const { ok } = await kv.atomic().check({ key, versionstamp: null }).set(key, row).commit();
  if (!ok) return false;
  const kept = await readRefused(kv, hash);
  const oldestFirst = kept.reverse();
  const order = [
    ...oldestFirst.filter(({ value }) => !value.fork),
    ...oldestFirst.filter(({ value }) => value.fork),
  ];
  for (const { key } of order.slice(0, Math.max(0, kept.length - MAX_REFUSED))) {
    await kv.delete(key);
  }
  return true;
}
