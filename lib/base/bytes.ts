/**
 * The functions of `@std/encoding` and `@std/bytes` that the contact module uses too, with the types that
 * the npm package lacks. Base64 is in `encoding.ts`, because its tables would enlarge the module.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { decodeHex as decode16, encodeHex as encode16 } from "@std/encoding/hex";

/** The type of bytes that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Returns bytes as lowercase hexadecimal text, two digits per byte. */
export const encodeHex: (bytes: Uint8Array | ArrayBuffer) => string = encode16;

/** @throws {TypeError | RangeError} for text that is not hexadecimal */
export const decodeHex: (hex: string) => Bytes = decode16;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const concatBytes: (parts: readonly Uint8Array[]) => Bytes = concat;
