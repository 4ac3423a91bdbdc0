/**
 * The functions for bytes that the contact module uses too. Those of `@std/encoding` and `@std/bytes`
 * would add 400 bytes to it. Base64 is in `encoding.ts`.
 *
 * @module
 */

/** The type of bytes that WebCrypto accepts. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Returns bytes as lowercase hexadecimal text, two digits per byte. */
export const encodeHex = (bytes: Uint8Array | ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Returns the bytes of hexadecimal text, in any case.
 *
 * @throws {TypeError} for text that is not hexadecimal, or has an odd number of digits
 */
export function decodeHex(hex: string): Bytes {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TypeError("This text is not hexadecimal.");
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** Returns text encoded as UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Returns a copy of several byte arrays, one after another. */
export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
