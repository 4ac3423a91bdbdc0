/** The arithmetic of `sum`, `min` and `max` in the KV Connect server of the tests. */
import { deserialize, serialize } from "node:v8";
import { Buffer } from "node:buffer";
import { type Mutation, Refused } from "./requests.ts";
import { binaryOf, bytesOfBinary, ENCODING, type Value } from "./rows.ts";

/** A number of a row: of 64 bits without a sign (`Deno.KvU64`), any whole number, or a `number`. */
type Operand = { u64: bigint } | { number: number | bigint };

/**
 * Returns the value of a row after a `sum`, `min` or `max`. Only sums accept numbers that are not
 * `Deno.KvU64`, and bounds.
 *
 * @param known the value before, if any
 * @throws {Refused} if the types do not fit or the result is out of bounds
 */
export function combine(mutation: Mutation, known: Value | undefined): Value {
  const { type, value } = mutation;
  const given = operandOf(value!);
  if (type !== "sum" && !("u64" in given)) throw refused(`“${type}” needs a KvU64`);
  const before = known === undefined ? null : operandOf(known);
  if ("number" in given) return sumNumbers(mutation, before, given.number);
  if (before === null) return value!;
  if (!("u64" in before)) throw refused("The stored value is not a KvU64");
  return encode({ u64: BigInt.asUintN(64, OPERATIONS[type](before.u64, given.u64)) });
}

const OPERATIONS: Record<string, (a: bigint, b: bigint) => bigint> = {
  sum: (a, b) => a + b,
  max: (a, b) => a > b ? a : b,
  min: (a, b) => a < b ? a : b,
};

function sumNumbers(
  { value, min, max, clamp }: Mutation,
  before: Operand | null,
  given: number | bigint,
): Value {
  const bounds = [min, max].map((bytes) => bytes?.length ? numberOf(bytes) : undefined);
  if (bounds.some((bound) => bound !== undefined && typeof bound !== typeof given)) {
    throw refused("A bound has another type than the number");
  }
  const [lowest, highest] = bounds;
  if (before === null) return value!;
  if ("u64" in before) {
    const fits = typeof given === "bigint" && given === BigInt.asUintN(64, given) &&
      lowest === undefined && highest === undefined && !clamp;
    if (!fits) throw refused("A KvU64 accepts only whole numbers without bounds");
    return encode({ u64: BigInt.asUintN(64, before.u64 + given) });
  }
  if (typeof before.number !== typeof given) {
    throw refused(`${typeof before.number} and ${typeof given} cannot be added`);
  }
  let sum = (before.number as bigint) + (given as bigint) as number | bigint;
  if (lowest !== undefined && sum < lowest) sum = bounded(lowest, clamp);
  if (highest !== undefined && sum > highest) sum = bounded(highest, clamp);
  return encode({ number: sum });
}

function bounded(bound: number | bigint, clamp: boolean): number | bigint {
  if (!clamp) throw refused("The sum is out of its bounds");
  return bound;
}

function operandOf({ data, encoding }: Value): Operand {
  const bytes = bytesOfBinary(data);
  if (encoding === ENCODING.le64) return { u64: bytes.readBigUInt64LE() };
  if (encoding === ENCODING.v8) return { number: numberOf(bytes) };
  throw refused("Bytes are not a number");
}

function numberOf(bytes: Uint8Array): number | bigint {
  let value: unknown;
  try {
    value = deserialize(Buffer.from(bytes));
  } catch { /* not a value either */ }
  if (typeof value === "number" || typeof value === "bigint") return value;
  throw refused("A value is not a number");
}

function encode(operand: Operand): Value {
  if ("number" in operand) {
    return { data: binaryOf(serialize(operand.number)), encoding: ENCODING.v8 };
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(operand.u64);
  return { data: binaryOf(bytes), encoding: ENCODING.le64 };
}

const refused = (message: string): Refused => new Refused(400, `${message}.`);
