import { DatabaseSync } from "node:sqlite";
import { isFile } from "./open.ts";

/**
 * Erases deleted values from a store's file. SQLite only marks their space as free, and the bytes
 * remain until something else is written there. The site may use the file at the same time; its
 * writes wait.
 *
 * @param path as for `openKv`; does nothing unless it names a file
 * @throws {Error} if the file is locked for more than five seconds
 */
export function scrub(path: string | undefined): void {
  if (!isFile(path)) return;
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 5000; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
  } finally {
    database.close();
  }
}
