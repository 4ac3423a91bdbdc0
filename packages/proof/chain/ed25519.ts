import { type Bytes, encodeHex } from "../../../lib/base/encoding.ts";

/**
 * The checks of points that platforms leave out (standard, "Valid signatures").
 *
 * The verification of WebCrypto rejects an `S` that is not reduced, and uses the equation without the
 * cofactor. Most platforms accept keys of small order, with which anybody can sign any message.
 *
 * @module
 */

const P = 2n ** 255n - 19n;

/** The y coordinates of the eight points of small order. */
const SMALL_ORDER = [
  0n,
  1n,
  P - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

/**
 * Returns false for a key or the `R` of a signature that no verifier may accept: its y coordinate is
 * not reduced, or it has small order. Does not check that it is a point on the curve.
 *
 * @param point 32 bytes, or more, of which the first 32 count
 */
export function isAllowedPoint(point: Bytes): boolean {
  const bytes = point.slice(0, 32).reverse(); // little-endian
  bytes[0] &= 0x7f; // the sign of x
  const y = BigInt(`0x${encodeHex(bytes)}`);
  return y < P && !SMALL_ORDER.includes(y);
}
