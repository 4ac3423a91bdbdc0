/**
 * The parts of protocol buffers that KV Connect needs.
 *
 * @module
 */
import type { Bytes } from "../../../base/encoding.ts";

/** The values of a message by field number: bytes for fields with a length, and numbers for others. */
export type Fields = Map<number, (Uint8Array | bigint)[]>;

export function decodeFields(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    if ((tag & 7) === 0) {
      values.push(varint());
    } else if ((tag & 7) === 2) {
      const length = Number(varint());
      values.push(bytes.subarray(at, at += length));
    } else {
      throw new TypeError(`Wire type ${tag & 7} is not supported.`);
    }
  }
  return fields;
}

export const bytesOf = (fields: Fields, field: number): Uint8Array =>
  (fields.get(field)?.at(-1) ?? new Uint8Array()) as Uint8Array;

export const numberOf = (fields: Fields, field: number): number =>
  Number(BigInt.asIntN(64, (fields.get(field)?.at(-1) ?? 0n) as bigint));

/** Returns the messages of a repeated field. */
export const messagesOf = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).map((bytes) => decodeFields(bytes as Uint8Array));

/** Encodes one message. Fields may be repeated. */
export function encodeFields(
  fields: readonly [field: number, value: Uint8Array | number][],
): Bytes {
  const bytes: number[] = [];
  const parts: Uint8Array[] = [];
  const varint = (value: number) => {
    for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push(value % 0x80 | 0x80);
    bytes.push(value);
  };
  for (const [field, value] of fields) {
    const isNumber = typeof value === "number";
    varint(field << 3 | (isNumber ? 0 : 2));
    varint(isNumber ? value : value.length);
    if (isNumber) continue;
    parts.push(Uint8Array.from(bytes.splice(0)), value);
  }
  parts.push(Uint8Array.from(bytes));
  return concat(parts);
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
