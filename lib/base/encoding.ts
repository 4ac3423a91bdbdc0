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
