import * as z from "zod";

/** One part of a key in JSON. Strings, booleans and usual numbers are themselves. */
type JsonPart =
  | string
  | boolean
  | number
  | { number: string }
  | { bigint: string }
  | { bytes: string };

type JsonKey = readonly JsonPart[];

export const jsonKeySchema: z.ZodType<JsonKey> = z.array(z.union([
  z.string(),
  z.boolean(),
  z.number(),
  z.strictObject({ number: z.enum(["NaN", "Infinity", "-Infinity", "-0"]) }),
  z.strictObject({ bigint: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ bytes: z.base64() }),
])).min(1);

export const keyToJson = (key: Deno.KvKey): JsonKey => key.map(partToJson);

export const keyFromJson = (key: JsonKey): Deno.KvKey => key.map(partFromJson);

function partToJson(part: Deno.KvKeyPart): JsonPart {
  if (part instanceof Uint8Array) return { bytes: part.toBase64() };
  if (typeof part === "bigint") return { bigint: String(part) };
  if (typeof part !== "number") return part as string | boolean;
  if (Object.is(part, -0)) return { number: "-0" };
  return Number.isFinite(part) ? part : { number: String(part) };
}

function partFromJson(part: JsonPart): Deno.KvKeyPart {
  if (typeof part !== "object") return part;
  if ("bytes" in part) return Uint8Array.fromBase64(part.bytes);
  return "bigint" in part ? BigInt(part.bigint) : Number(part.number);
}
