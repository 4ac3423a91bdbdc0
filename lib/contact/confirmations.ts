import { sha256 } from "../kv/hash.ts";
import { type Expiring, expiring, isoAfter } from "../kv/mod.ts";

/** A week, for mail is read late and an enquiry loses nothing by it. */
export const CONFIRMATION_LIFETIME_MS = 7 * 86_400_000;

/** For so much longer a link is told from one that never was: "too late", not "unknown". */
export const REMEMBERED_MS = 30 * 86_400_000;

/** A link that confirms an email address, under the hash of its token. It names no person. */
export interface Confirmation extends Expiring {
  /** The record's hash. */
  hash: string;
}

/** @param token SHA-256 of the token */
export const confirmationKey = (token: string): Deno.KvKey => ["contact_confirmations", token];

/** 32 bytes in base64url without padding. */
const TOKEN = /^[\w-]{43}$/;

/** A token of 256 random bits. It is in the mail alone; stored is its hash. */
export const newToken = (): string =>
  crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });

/** Adds to a commit that a token confirms the email address of a record. */
export function keepConfirmation(
  commit: Deno.AtomicOperation,
  token: string,
  hash: string,
  now: number,
): void {
  const row: Confirmation = { hash, expires_at: isoAfter(now, CONFIRMATION_LIFETIME_MS) };
  const { expireIn } = expiring(row, now);
  commit.set(confirmationKey(sha256(token)), row, { expireIn: expireIn + REMEMBERED_MS });
}

/** Finds what a token confirms, also where its time is over; null for one that never was. */
export async function findConfirmation(kv: Deno.Kv, token: string): Promise<Confirmation | null> {
  if (!TOKEN.test(token)) return null;
  return (await kv.get<Confirmation>(confirmationKey(sha256(token)))).value;
}
