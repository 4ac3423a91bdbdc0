/** Faults of a KV Connect server itself, such as a full disk, for the one of the tests. */
import { MINUTE_MS } from "../../../../base/time.ts";
import { delayBy } from "../slow_kv.ts";
import { Refused } from "./requests.ts";

/**
 * The behaviour of `denokv` 0.14, as it was measured, that this server shows only if asked. Each member may be
 * changed while the server runs.
 */
export interface Condition {
  /**
   * - `dead`: it responds 503 for ever, because a sweep of expired rows failed, although its process lives
   * - `full`: its disk accepts no writes
   * - `readOnly`: it was started with `--read-only`
   * - `refusing`: it was started with another access token
   */
  state: "well" | "dead" | "full" | "readOnly" | "refusing";
  /** How much longer a commit above 1 KiB takes, because neither the client nor the server sets `TCP_NODELAY`. */
  largeCommitMs: number;
  /** How long rows stay after their end. */
  lateSweepMs: number;
  /** True if the mutations before an impossible sum are applied, although the commit is rejected. */
  appliesRejected: boolean;
}

/** A server without these faults. */
export const WELL: Readonly<Condition> = {
  state: "well",
  largeCommitMs: 0,
  lateSweepMs: 0,
  appliesRejected: false,
};

/** A server that works, as `denokv` does without a proxy in front. */
export const LIKE_DENOKV: Readonly<Condition> = {
  state: "well",
  largeCommitMs: 45,
  lateSweepMs: MINUTE_MS,
  appliesRejected: true,
};

const LARGE_BYTES = 1024;

/** Refuses a request as the server in this condition does, or takes as long. */
export async function suffer(
  { state, largeCommitMs }: Condition,
  method: string | null,
  body: Uint8Array,
): Promise<void> {
  if (state === "refusing") throw new Refused(401, "Invalid access token.");
  if (method === null) return; // the metadata needs no store
  if (state === "dead") {
    throw new Refused(503, "The server is temporarially unavailable, try again later.");
  }
  if (method !== "atomic_write") return;
  if (state === "full") throw new Refused(500, "An internal server error occurred.");
  if (state === "readOnly") throw new Refused(400, "This database is read only.");
  if (body.length > LARGE_BYTES) await delayBy(largeCommitMs);
}
