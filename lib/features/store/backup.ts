/** Makes a backup copy of the site's database file while it is in use. */
import { DatabaseSync } from "node:sqlite";
import { openKv } from "../../platform/kv/mod.ts";
import { createPrivateFile } from "./private_file.ts";
import { type Restored, STORE_KEY, type StoreMarker } from "../../platform/store/marker.ts";

/**
 * Copies the file of a store, as it is at one moment. The site may use the file at the same time; its
 * writes do not wait. The copy contains nothing that was deleted. It is marked as restored, so that
 * a site which is started with it does not add events until its chains have been reconciled.
 *
 * @param file must not exist
 * @throws {Deno.errors.AlreadyExists} if it does
 * @throws {Error} if the store's file is not intact
 */
export async function backup(
  { path, clock, trustHost }: { path: string; clock: () => number; trustHost: string },
  file: string,
): Promise<void> {
  const copy = await createPrivateFile(file);
  try {
    const exported_at = new Date(clock()).toISOString();
    copyDatabase(path, copy.path);
    await markAsRestored(copy.path, { exported_at, imported_at: null, trust_host: trustHost });
    await copy.finish();
  } catch (error) {
    await copy.abandon();
    throw error;
  }
}

function copyDatabase(path: string, copy: string): void {
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    // Unlike SQLite's backup functions, this does not start again whenever another process writes.
    source.prepare("VACUUM INTO ?").run(copy);
  } finally {
    source.close();
  }
  const database = new DatabaseSync(copy);
  try {
    const { quick_check } = database.prepare("PRAGMA quick_check").get()!;
    if (quick_check !== "ok") throw new Error(`The store is damaged: ${quick_check}`);
  } finally {
    database.close();
  }
}

async function markAsRestored(path: string, restored: Restored): Promise<void> {
  const kv = await openKv(path);
  try {
    const { value } = await kv.get<StoreMarker>(STORE_KEY);
    if (value?.restored !== undefined) return;
    // A store that the site has not opened since markers were introduced has none.
    const marker = value ?? { id: crypto.randomUUID(), created_at: restored.exported_at };
    await kv.set(STORE_KEY, { ...marker, restored });
  } finally {
    kv.close();
  }
}
