import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { isFile } from "./open.ts";

/**
 * Returns the free space on a store's disk, in bytes; undefined if the store is not a file, or the
 * process may not ask for it.
 */
export async function freeBytes(kvPath: string | undefined): Promise<number | undefined> {
  if (!isFile(kvPath)) return undefined;
  // Without the permission, Deno would ask for it.
  const permission = { name: "sys", kind: "statfs" } as unknown as Deno.PermissionDescriptor;
  if ((await Deno.permissions.query(permission)).state !== "granted") return undefined;
  try {
    const { bavail, bsize } = await statfs(dirname(kvPath));
    return bavail * bsize;
  } catch (error) {
    // The file was moved, which the guard of the store detects.
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
