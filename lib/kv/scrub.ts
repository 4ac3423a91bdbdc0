import { DatabaseSync } from "node:sqlite";
import { isFile } from "./open.ts";

/**
 * Takes out of a store's file what has been deleted: SQLite only marks the place as free, and the
 * bytes stay until something else is written there. The site may be using the file meanwhile; what
 * it writes waits until this is done.
 *
 * @param path as `openKv` takes it; what is no file is left alone
 * @throws {Error} where the file is in use for longer than five seconds
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
