/** Opens the store that `KV_PATH` names: a file, memory, or a KV Connect server. */
import { dirname } from "node:path";
import { connectKv } from "./connect.ts";
import { rulesOf } from "./store_kv.ts";
import { whenUnlocked } from "./transact.ts";
import { tryToWrite } from "./try_to_write.ts";

const isUrl = (path: string): boolean => /^https?:\/\//.test(path);

/** Returns true if `KV_PATH` names a file. */
export const isFile = (path: string | undefined): path is string =>
  path !== undefined && path !== ":memory:" && !isUrl(path);

/**
 * Opens the store that `KV_PATH` names. A missing file and its folder are created for their owner
 * only, because they contain personal data. Open a file once per process, because two handles on one
 * file block each other.
 *
 * @param path a file, `:memory:`, the `http` or `https` URL of a KV Connect server, or undefined
 * for Deno's own default
 * @param warn called with a message if other users can access the file's folder
 * @throws {KvConnectError} if the KV Connect server cannot be used
 */
export async function openKv(
  path: string | undefined,
  warn: (message: string) => void = () => {},
): Promise<Deno.Kv> {
  if (path !== undefined && isUrl(path)) {
    const token = Deno.env.get("DENO_KV_ACCESS_TOKEN") ?? "";
    const kv = await connectKv(path);
    Object.assign(rulesOf(kv), {
      remote: true,
      tryToWrite: (signal: AbortSignal) => tryToWrite(path, token, signal),
    });
    return kv;
  }
  if (isFile(path)) {
    const folder = dirname(path);
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode } = await Deno.stat(folder);
    if (mode !== null && (mode & 0o077) !== 0) {
      warn(`KV_PATH: other users can access the folder ${folder}. Run: chmod 700 ${folder}`);
    }
    await createPrivately(path);
  }
  const kv = await whenUnlocked(() => Deno.openKv(path));
  // Deno Deploy's own store is reached over a network too.
  rulesOf(kv).remote = path === undefined;
  return kv;
}

/** Creates an empty file unless it exists. SQLite's `-wal` and `-shm` files get the same mode. */
async function createPrivately(path: string): Promise<void> {
  try {
    (await Deno.open(path, { createNew: true, write: true, mode: 0o600 })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
