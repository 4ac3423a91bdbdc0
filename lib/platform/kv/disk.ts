import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isFile } from "./open.ts";

/** The space on a disk, in bytes. */
export interface DiskSpace {
  free: number;
  size: number;
}

/**
 * Returns the space on a store's disk, in bytes; undefined if the store is not a file, or the process
 * may not ask for it.
 */
export async function diskSpace(kvPath: string | undefined): Promise<DiskSpace | undefined> {
  if (!isFile(kvPath)) return undefined;
  // Without the permission, Deno would ask for it.
  const permission = { name: "sys", kind: "statfs" } as unknown as Deno.PermissionDescriptor;
  if ((await Deno.permissions.query(permission)).state !== "granted") return undefined;
  try {
    const { bavail, bsize, blocks } = await statfs(dirname(kvPath));
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    // The file was moved, which the guard of the store detects.
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the free bytes on a store's disk; undefined where {@link diskSpace} is. */
export const freeBytes = async (kvPath: string | undefined): Promise<number | undefined> =>
  (await diskSpace(kvPath))?.free;
