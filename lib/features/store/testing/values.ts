/** Sample keys and values of every type that Deno KV stores, for tests of copies. */

const SHARED = { n: 1 };
const CYCLE: Record<string, unknown> = { a: 1 };
CYCLE.self = CYCLE;
const EXTENDED = Object.assign([1, 2], { extra: 1 });
// deno-lint-ignore no-sparse-arrays
const SPARSE = [1, , 3];

/** Values of every type that the store accepts. */
export const VALUES: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -0,
  0.1,
  1e21,
  NaN,
  -Infinity,
  12345678901234567890n,
  "",
  "a\0b\ud800\u2028é日本",
  { a: undefined, b: [undefined, null], c: { d: -0 } },
  { "": 0, value: 1, devalue: "", u64: "7", v8: "" },
  JSON.parse('{"__proto__":{"a":1}}'),
  [],
  [[], {}, [[1.5, 2]]],
  SPARSE,
  EXTENDED,
  [EXTENDED, SPARSE],
  [SHARED, SHARED],
  CYCLE,
  new Date(5),
  new Date(NaN),
  /a\/b/gi,
  new Map<unknown, unknown>([[{ a: 1 }, new Set([1, -0])], [NaN, undefined]]),
  new Set([EXTENDED]),
  new Uint8Array([1, 2, 3]),
  new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  { bytes: new Uint8Array([1, 2, 3, 4]).subarray(1, 3) },
  new ArrayBuffer(3),
  new ArrayBuffer(3, { maxByteLength: 8 }),
  new Float64Array([NaN, -0]),
  new BigUint64Array([5n]),
  new DataView(new ArrayBuffer(4), 1, 2),
  new TypeError("message", { cause: { a: 1 } }),
  Object(3),
  Object("boxed"),
  new Deno.KvU64(0n),
  new Deno.KvU64(2n ** 64n - 1n),
];

/** Keys with parts of every type, at the limits of their encodings. */
export const KEYS: readonly Deno.KvKey[] = [
  [""],
  ["\ufeffa\0b", "é日本"],
  [new Uint8Array(), new Uint8Array([0, 0xff, 0, 1])],
  [0, -0, 1.5, -1.5, NaN, Infinity, -Infinity],
  [0n, 1n, -1n, 255n, 256n, -256n],
  [2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n), 2n ** 500n, -(2n ** 500n)],
  [true, false],
  ["mixed", 1, 1n, true, new Uint8Array([7])],
];

/** Shows what `assertEquals` does not distinguish, such as holes and further members of arrays. */
export function inspect(value: unknown): string {
  const text = Deno.inspect(value, {
    depth: 20,
    iterableLimit: Infinity,
    strAbbreviateSize: Infinity,
  });
  return value instanceof ArrayBuffer ? `${text} of at most ${value.maxByteLength} bytes` : text;
}
