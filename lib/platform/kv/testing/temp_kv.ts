import { join } from "node:path";
import { openKv } from "../open.ts";

/** A store in a temporary file, which is deleted after the test. */
export interface TempKv extends AsyncDisposable {
  kv: Deno.Kv;
  path: string;
}

export async function tempKv(): Promise<TempKv> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "test.kv");
  const kv = await openKv(path);
  return {
    kv,
    path,
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Returns all values below a key, including expired ones. */
export async function valuesOf<Value>(kv: Deno.Kv, ...prefix: Deno.KvKey): Promise<Value[]> {
  const entries = await Array.fromAsync(kv.list<Value>({ prefix }));
  return entries.map(({ value }) => value);
}
