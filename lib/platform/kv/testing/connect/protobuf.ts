/**
 * The parts of protocol buffers that KV Connect needs.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** The values of a message by field number: bytes for fields with a length, and numbers for others. */
export type Fields = Map<number, (Uint8Array | number)[]>;

/** The longest number, such as a negative one, has ten bytes. */
const MAX_VARINT_BYTES = 10;
/** Up to this many bytes of seven bits, a number is exact. */
const EXACT_BYTES = 7;

/** @throws {TypeError} for bytes that are not a message */
export function decodeFields(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  function varint(): number {
    const start = at;
    while (bytes[at] >= 0x80) at++;
    const length = ++at - start;
    if (at > bytes.length || length > MAX_VARINT_BYTES) throw new TypeError("A number has no end.");
    if (length <= EXACT_BYTES) {
      let value = 0;
      for (let i = at - 1; i >= start; i--) value = value * 0x80 + (bytes[i] & 0x7f);
      return value;
    }
    let value = 0n;
    for (let i = at - 1; i >= start; i--) value = value << 7n | BigInt(bytes[i] & 0x7f);
    return Number(BigInt.asIntN(64, value));
  }
  while (at < bytes.length) {
    const tag = varint();
    const field = Math.floor(tag / 8);
    const values = fields.get(field) ?? [];
    fields.set(field, values);
    if (tag % 8 === 0) {
      values.push(varint());
    } else if (tag % 8 === 2) {
      const length = varint();
      if (at + length > bytes.length) throw new TypeError("A field is longer than its message.");
      values.push(bytes.subarray(at, at += length));
    } else {
      throw new TypeError(`Wire type ${tag % 8} is not supported.`);
    }
  }
  return fields;
}

/** Returns the bytes of a field; null if the message does not have it. */
export function bytesOf(fields: Fields, field: number): Uint8Array | null {
  const value = fields.get(field)?.at(-1) ?? null;
  if (typeof value === "number") throw new TypeError(`Field ${field} is a number.`);
  return value;
}

export function numberOf(fields: Fields, field: number): number {
  const value = fields.get(field)?.at(-1) ?? 0;
  if (typeof value !== "number") throw new TypeError(`Field ${field} is not a number.`);
  return value;
}

/** Returns the messages of a repeated field. */
export const messagesOf = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).map((bytes) => {
    if (typeof bytes === "number") throw new TypeError(`Field ${field} is a number.`);
    return decodeFields(bytes);
  });

/** Encodes one message. Fields may be repeated. */
export function encodeFields(
  fields: readonly [field: number, value: Uint8Array | number][],
): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (const [field, value] of fields) {
    const head: number[] = [];
    const varint = (rest: number) => {
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) head.push(rest % 0x80 | 0x80);
      head.push(rest);
    };
    const isNumber = typeof value === "number";
    varint(field << 3 | (isNumber ? 0 : 2));
    varint(isNumber ? value : value.length);
    parts.push(Uint8Array.from(head));
    if (!isNumber) parts.push(value);
  }
  return Buffer.concat(parts);
}
