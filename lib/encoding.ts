/**
 * The functions of `@std/encoding` and `@std/bytes` that the site uses, with the types that the npm
 * package lacks, for server and browser.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { decodeBase64Url as decode64, encodeBase64Url as encode64 } from "@std/encoding/base64url";
import { decodeHex as decode16, encodeHex as encode16 } from "@std/encoding/hex";

/** The type of bytes that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Returns bytes as lowercase hexadecimal text, two digits per byte. */
export const encodeHex: (bytes: Uint8Array | ArrayBuffer) => string = encode16;

/** @throws {TypeError | RangeError} for text that is not hexadecimal */
export const decodeHex: (hex: string) => Bytes = decode16;

/** Returns bytes as base64url without padding (RFC 4648, section 5). */
export const encodeBase64Url: (bytes: Uint8Array | ArrayBuffer) => string = encode64;

/** @throws {TypeError | RangeError} for text that is not base64url */
export const decodeBase64Url: (text: string) => Bytes = decode64;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const concatBytes: (parts: readonly Uint8Array[]) => Bytes = concat;
