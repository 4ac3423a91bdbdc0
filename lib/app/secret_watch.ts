/** Notices when the files of secrets may have changed. */
import { dirname } from "node:path";
import { MINUTE_MS } from "../base/time.ts";
import type { Schedule } from "../base/schedule.ts";
import type { SecretReload } from "./secret_reload.ts";

/** How often the files are read anyway: a watched folder that is mounted again reports nothing. */
const POLL_MS = MINUTE_MS;

/**
 * Calls `reload` on SIGHUP, when something changes in the folders of the files, and every minute.
 * The folders are watched, because programs replace files and links instead of writing to them.
 *
 * @returns the function that ends this
 */
export function watchSecrets(
  { paths, reload, schedule }: {
    paths: readonly string[];
    reload: SecretReload;
    schedule: Schedule;
  },
): () => void {
  const watchers = [...new Set(paths.map(dirname))].flatMap((folder) => watch(folder, reload));
  // A reload never rejects: it logs what fails.
  const stopListening = onHangUp(() => void reload(true));
  let cancel = () => {};
  const poll = () => {
    cancel = schedule(() => {
      void reload(); // it never rejects
      poll();
    }, POLL_MS);
  };
  if (paths.length > 0) poll();
  return () => {
    cancel();
    stopListening();
    for (const watcher of watchers) watcher.close();
  };
}

function watch(folder: string, reload: SecretReload): Deno.FsWatcher[] {
  try {
    const watcher = Deno.watchFs(folder, { recursive: false });
    (async () => {
      for await (const { kind } of watcher) {
        if (kind !== "access") void reload(); // it never rejects
      }
    })().catch(() => {});
    return [watcher];
  } catch {
    return []; // the folder cannot be watched, so its files are only read every minute
  }
}

/** Calls `listener` on SIGHUP. If it means that the process's terminal was closed, the process ends. */
function onHangUp(listener: () => void): () => void {
  const hasTerminal = Deno.stdin.isTerminal();
  const handle = () => {
    if (hasTerminal && !Deno.stdin.isTerminal()) Deno.exit(129);
    listener();
  };
  try {
    Deno.addSignalListener("SIGHUP", handle);
    return () => Deno.removeSignalListener("SIGHUP", handle);
  } catch {
    return () => {}; // the platform does not support this signal
  }
}
