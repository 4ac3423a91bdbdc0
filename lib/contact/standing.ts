import { sha256 } from "../kv/hash.ts";
import { readSlot } from "../kv/mod.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenge.ts";
import { readClaim } from "./claim.ts";
import { clientWindow } from "./client_window.ts";

/** For how long the same `Idempotency-Key` is the same registration. */
export const IDEMPOTENCY_LIFETIME_MS = 86_400_000;

/** A challenge's answer is remembered for longer than it would be believed. */
const CHALLENGE_REMEMBERED_MS = 2 * CHALLENGE_LIFETIME_MS;

/** What a registration uses up. */
export interface Uses {
  idempotencyKey: string | undefined;
  /** An answer of the bot challenge, where there is one. */
  challenge: string | undefined;
  clientAddress: string;
  /** Registrations an hour from one client address; 0 for no limit. */
  clientLimit: number;
}

/** What of it is left at one moment. */
export interface Standing {
  /** The record that was registered under the idempotency key. */
  registered: string | null;
  /** Milliseconds until the client may register again; 0 where it may at once. */
  waitMs: number;
  /** Whether another registration has used the challenge's answer. */
  challengeUsed: boolean;
  /** Adds to a commit that a record uses it all. The commit fails where another was faster. */
  take(commit: Deno.AtomicOperation, hash: string): void;
}

/**
 * Reads what of it is left.
 *
 * @param now milliseconds since 1970
 */
export async function readStanding(
  kv: Deno.Kv,
  { idempotencyKey, challenge, clientAddress, clientLimit }: Uses,
  now: number,
): Promise<Standing> {
  const claim = (noun: string, name: string | undefined, lifetimeMs: number) =>
    name === undefined ? null : readClaim(kv, [noun, sha256(name)], lifetimeMs, now);
  const [request, answer, slot] = await Promise.all([
    claim("contact_requests", idempotencyKey, IDEMPOTENCY_LIFETIME_MS),
    claim("contact_challenges", challenge, CHALLENGE_REMEMBERED_MS),
    clientLimit === 0 ? null : readSlot(kv, clientWindow(clientAddress, clientLimit), now),
  ]);
  return {
    registered: request?.holder ?? null,
    waitMs: slot?.waitMs ?? 0,
    challengeUsed: answer !== null && answer.holder !== null,
    take(commit, hash) {
      request?.take(commit, hash);
      answer?.take(commit, hash);
      slot?.take(commit);
    },
  };
}
