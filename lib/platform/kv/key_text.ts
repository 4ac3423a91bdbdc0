/** Returns a text that is the same only for equal keys. */
export const keyText = (key: Deno.KvKey): string =>
  JSON.stringify(key.map((part) => [typeof part, String(part)]));
