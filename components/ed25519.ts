/** Ed25519 signatures for browsers whose WebCrypto cannot verify them. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { type Bytes, concatBytes, encodeHex } from "../lib/base/bytes.ts";
import { decodeBase64Url } from "../lib/base/encoding.ts";

const { Point } = ed25519;

/** The function with its overloads as one. */
type ImportKey = (
  format: string,
  data: JsonWebKey | Bytes,
  algorithm: Algorithm | string,
  extractable: boolean,
  usages: KeyUsage[],
) => Promise<CryptoKey>;

/**
 * Adds the verification of Ed25519 signatures to a WebCrypto that lacks it, with the same rules: reduced encodings,
 * and the equation without the cofactor (standard, "Valid signatures").
 */
export function addEd25519(subtle: SubtleCrypto): void {
  const importKey = subtle.importKey.bind(subtle) as ImportKey;
  const verify = subtle.verify.bind(subtle);
  const encodings = new WeakMap<CryptoKey, Bytes>();

  const added: ImportKey = (format, data, algorithm, ...rest) => {
    if (!isEd25519(algorithm)) return importKey(format, data, algorithm, ...rest);
    return Promise.resolve().then(() => {
      const bytes = data instanceof Uint8Array ? data.slice() : decodeBase64Url(data.x!);
      Point.fromBytes(bytes, false); // throws if it is not a point on the curve
      const key = { type: "public", algorithm: { name: "Ed25519" }, usages: ["verify"] };
      encodings.set(key as CryptoKey, bytes);
      return key as CryptoKey;
    });
  };
  subtle.importKey = added as SubtleCrypto["importKey"];

  subtle.verify = ((algorithm, key, signature: Bytes, data: Bytes) => {
    const bytes = encodings.get(key);
    return bytes === undefined
      ? verify(algorithm, key, signature, data)
      : isSigned(subtle, bytes, signature, data);
  }) as SubtleCrypto["verify"];
}

const isEd25519 = (algorithm: Algorithm | string): boolean =>
  (typeof algorithm === "string" ? algorithm : algorithm.name) === "Ed25519";

async function isSigned(
  subtle: SubtleCrypto,
  key: Bytes,
  signature: Bytes,
  message: Bytes,
): Promise<boolean> {
  if (signature.length !== 64) return false;
  const r = signature.slice(0, 32);
  const s = littleEndian(signature.slice(32));
  if (s >= Point.Fn.ORDER) return false;
  const digest = await subtle.digest("SHA-512", concatBytes([r, key, message]));
  const k = littleEndian(new Uint8Array(digest)) % Point.Fn.ORDER;
  const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(k));
  return expected.toHex() === encodeHex(r);
}

const littleEndian = (bytes: Bytes): bigint => BigInt(`0x${encodeHex(bytes.slice().reverse())}`);
