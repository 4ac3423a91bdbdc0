import { createHash } from "node:crypto";

/**
 * SHA-256 of a text's UTF-8 bytes, as 64 lowercase hexadecimal digits: the form in which tokens,
 * session ids and addresses stand in keys. Who reads the store can't sign in with what is there.
 */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
