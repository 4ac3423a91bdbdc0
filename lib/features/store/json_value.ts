/** Converts any value that Deno KV stores to JSON and back without loss. */
import { stringify, unflatten } from "devalue";
import { deserialize, serialize } from "node:v8";

/** A value that devalue would change. */
class Changed {
  constructor(readonly value: unknown) {}
}

/**
 * Our own types in devalue's format. V8's format represents every value, but the same number can have
 * two forms in it, so it is used only for values that devalue would change, such as errors.
 */
const TYPES = {
  KvU64: (value: unknown) => value instanceof Deno.KvU64 && String(value.value),
  V8: (value: unknown) => value instanceof Changed && serialize(value.value).toString("base64"),
};

const EXACT_TYPES = {
  ...TYPES,
  Changed(part: unknown) {
    if (isChanged(part)) throw new TypeError("The value needs another format.");
    return false;
  },
};

/** Returns a value of any type that the store accepts in devalue's format, which is JSON. */
export function toJson(value: unknown): string {
  try {
    return stringify(value, EXACT_TYPES);
  } catch {
    return stringify(new Changed(value), TYPES);
  }
}

/**
 * Returns the value of parsed JSON that {@link toJson} has returned.
 *
 * @throws {Error} for other JSON
 */
export const fromJson = (json: unknown): unknown =>
  unflatten(json as number | unknown[], {
    KvU64: (text: string) => new Deno.KvU64(BigInt(text)),
    V8: (text: string) => deserialize(Uint8Array.fromBase64(text)),
  });

/** Returns whether devalue changes a part without an error. */
function isChanged(part: unknown): boolean {
  if (part instanceof ArrayBuffer) return part.resizable;
  if (!Array.isArray(part)) return false;
  const last = Object.keys(part).at(-1); // the indexes come first, then further members
  return last !== undefined && !(Number(last) < part.length);
}
