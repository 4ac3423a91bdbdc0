/**
 * Base64, and the functions of `bytes.ts`, for servers, browsers and the published verifier, which must run where
 * `Uint8Array` and `ArrayBuffer` lack their newest methods.
 *
 * @module
 */
import type { Bytes } from "./bytes.ts";

export * from "./bytes.ts";

/** Returns bytes as text, one character for each. */
export const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);

/** Returns bytes as base64url without padding (RFC 4648, section 5). */
export const encodeBase64Url = (bytes: Uint8Array | ArrayBuffer): string =>
  encodeBase64(new Uint8Array(bytes)).replaceAll("+", "-").replaceAll("/", "_")
    .replace(/=+$/, "");

/** @throws {TypeError} for text that is not base64url. Padding is allowed, and unused bits may be set */
export function decodeBase64Url(text: string): Bytes {
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9_-]*$/.test(digits) || digits.length % 4 === 1) {
    throw new TypeError("This text is not base64url.");
  }
  return bytesOf(digits.replaceAll("-", "+").replaceAll("_", "/"));
}

const bytesOf = (base64: string): Bytes =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Returns bytes as base64 with padding (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let letters = ""; // not all at once, because a call takes a limited number of arguments
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}

/**
 * Returns the bytes of base64 with padding. Null for any other text, even if unused bits are set: then
 * two texts would have the same bytes.
 */
export function decodeBase64(text: string): Bytes | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const bytes = bytesOf(text);
  return encodeBase64(bytes) === text ? bytes : null;
}
