import { stringify, unflatten } from "devalue";
import { deserialize, serialize } from "node:v8";

/**
 * A stored value in JSON. Most values are JSON themselves, so other programs can read them. Of the
 * others, devalue writes those that it represents exactly, because its text is the same for equal
 * values. V8's own format represents every value, but the same number can have two forms in it, so it
 * is used only for the rest, such as errors.
 */
export type JsonValue =
  | { value: unknown }
  | { devalue: unknown }
  | { u64: string }
  | { v8: string };

/** Returns a value of the store, of any type that the store accepts, in JSON. */
export function toJson(value: unknown): JsonValue {
  if (value instanceof Deno.KvU64) return { u64: String(value.value) };
  switch (formatOf(value, new Set())) {
    case Format.json:
      return { value };
    case Format.devalue:
      return { devalue: JSON.parse(stringify(value)) };
    case Format.v8:
      return { v8: serialize(value).toString("base64") };
  }
}

/** @throws {Error} for JSON that {@link toJson} does not return */
export function fromJson(json: JsonValue): unknown {
  if ("value" in json) return json.value;
  if ("devalue" in json) return unflatten(json.devalue as number | unknown[]);
  if ("u64" in json) return new Deno.KvU64(BigInt(json.u64));
  if ("v8" in json) return deserialize(Uint8Array.fromBase64(json.v8));
  throw new TypeError("The row has no value.");
}

/** In ascending order of what they represent. */
enum Format {
  json,
  devalue,
  v8,
}

/** @param seen the objects that were found before; JSON cannot repeat one */
function formatOf(value: unknown, seen: Set<object>): Format {
  switch (typeof value) {
    case "string":
    case "boolean":
      return Format.json;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? Format.json : Format.devalue;
    case "undefined":
    case "bigint":
      return Format.devalue;
  }
  if (value === null) return Format.json;
  const object = value as object;
  if (seen.has(object)) return Format.devalue;
  seen.add(object);
  if (Array.isArray(object)) return worst(arrayFormat(object), Object.values(object), seen);
  if (object instanceof Map) return worst(Format.devalue, [...object].flat(), seen);
  if (object instanceof Set) return worst(Format.devalue, object, seen);
  if (ArrayBuffer.isView(object)) return worst(Format.devalue, [object.buffer], seen);
  if (object instanceof ArrayBuffer) return object.resizable ? Format.v8 : Format.devalue;
  if (object instanceof Date || object instanceof RegExp) return Format.devalue;
  if (Object.getPrototypeOf(object) !== Object.prototype) return Format.v8;
  if (Object.hasOwn(object, "__proto__")) return Format.v8;
  return worst(Format.json, Object.values(object), seen);
}

/** JSON has no holes, and devalue no other properties of an array. */
function arrayFormat(array: unknown[]): Format {
  const keys = Object.keys(array); // the indexes first, in order
  const last = keys.at(-1);
  if (last !== undefined && !(Number(last) < array.length)) return Format.v8;
  return keys.length === array.length ? Format.json : Format.devalue;
}

function worst(own: Format, parts: Iterable<unknown>, seen: Set<object>): Format {
  let format = own;
  for (const part of parts) format = Math.max(format, formatOf(part, seen));
  return format;
}
