import { dirname } from "node:path";
import { whenUnlocked } from "./transact.ts";

/** Whether a store is in a file that is named. */
export const isFile = (path: string | undefined): path is string =>
  path !== undefined && path !== ":memory:" && !/^https?:\/\//.test(path);

/**
 * Opens the store that `KV_PATH` names (design, section 5). A file's folder is made, readable by
 * its owner alone, for people's addresses are in it. One handle a process: two on one file get in
 * each other's way.
 *
 * @param path a file, `:memory:`, the `http` or `https` URL of a KV Connect server, or undefined
 * for Deno's own default
 *
 * @example
 * ```ts
 * using kv = await openKv(".data/gatehouse.kv");
 * ```
 */
export async function openKv(path: string | undefined): Promise<Deno.Kv> {
  if (isFile(path)) {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  }
  return await whenUnlocked(() => Deno.openKv(path));
}
