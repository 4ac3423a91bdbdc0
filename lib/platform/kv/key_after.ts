/** Returns the smallest key after another one: a list includes the key of its `start`. */
export const keyAfter = (key: Deno.KvKey): Deno.KvKey => [...key, new Uint8Array()];
