import { createBoundedCache } from "./bounded_cache.ts";

/** Two languages of every published page would fit, and thousands of QR codes. */
const LIMIT = 2 * 1024 * 1024;

/** The values that are derived from texts only, so all sites of a process can share them. */
const derived = createBoundedCache<{ value: unknown; size: number }>({
  limit: LIMIT,
  sizeOf: ({ size }) => size,
});

/**
 * Returns what a function makes of a text, which it makes once while there is room: rendered Markdown, the path of a
 * QR code. The text stays in memory, so it must not be a secret.
 *
 * @param kind names the function
 * @param make depends on nothing but the text, and its result is never changed
 * @example
 * ```ts
 * const { path, size } = derive("qr", url, qrPath);
 * ```
 */
export function derive<Value>(kind: string, text: string, make: (text: string) => Value): Value {
  const known = derived.getOrAdd(`${kind}\n${text}`, () => {
    const value = make(text);
    return { value, size: JSON.stringify(value).length };
  });
  return known.value as Value;
}
