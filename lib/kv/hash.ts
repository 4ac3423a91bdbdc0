import { createHash } from "node:crypto";

/**
 * Returns the SHA-256 of a text as lowercase hexadecimal. Keys contain tokens, session ids and
 * addresses only in this form, so that a copy of the store signs nobody in.
 */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
