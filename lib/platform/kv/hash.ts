import { createHash } from "node:crypto";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";

/**
 * Returns the SHA-256 of a text as lowercase hexadecimal. Keys contain tokens, session ids and
 * addresses only in this form, so that nobody can sign in with a copy of the store.
 */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Compares a secret with a given text in a time that depends only on the length of the given text. */
export const isSameSecret = (secret: string, given: string): boolean =>
  timingSafeEqual(digest(secret), digest(given));

const digest = (text: string) => createHash("sha256").update(text).digest();
