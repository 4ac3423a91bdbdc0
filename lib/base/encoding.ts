/**
 * Base64, with the types that the npm package of `@std/encoding` lacks, and the functions of
 * `bytes.ts`, for server and browser.
 *
 * @module
 */
import { decodeBase64Url as decode64, encodeBase64Url as encode64 } from "@std/encoding/base64url";
import type { Bytes } from "./bytes.ts";

export * from "./bytes.ts";

/** Returns bytes as base64url without padding (RFC 4648, section 5). */
export const encodeBase64Url: (bytes: Uint8Array | ArrayBuffer) => string = encode64;

/** @throws {TypeError | RangeError} for text that is not base64url */
export const decodeBase64Url: (text: string) => Bytes = decode64;

/** Returns bytes as base64 with padding (RFC 4648, section 4). */
export const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/**
 * Returns the bytes of base64 with padding. Null for any other text, also if unused bits are set: then
 * two texts would have the same bytes.
 */
export function decodeBase64(text: string): Bytes | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return encodeBase64(bytes) === text ? bytes : null;
}
