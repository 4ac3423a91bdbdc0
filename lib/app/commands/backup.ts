/**
 * `deno task backup <file>`: copies the store's file while the site may be running.
 *
 * With `--into <folder>`, the copy is named after the time, and older copies in the folder are deleted:
 * all are kept for `--hours`, and then the last of each day for `--days`. `--note` copies nothing, and
 * records that another tool has just made a backup. Exits with 0 when done, 1 if the copy could not be
 * made or an older one not deleted, 2 on incorrect usage or if the store is not a file.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { configOrExit, openKvOrExit } from "./command.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { type LastBackup, recordBackup } from "../../platform/store/mod.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { formatCount } from "../../base/time.ts";
import { backup } from "../../features/store/backup.ts";
import { copyName, oldCopies, type Retention } from "../../features/store/old_copies.ts";

const { file, folder, isNote, retention } = readArguments();
const config = configOrExit();
const { kvPath } = config;
if (isNote) {
  await note({ at: new Date().toISOString() });
  console.log("Recorded that a backup was made now.");
  Deno.exit();
}
if (!isFile(kvPath)) {
  console.error(
    "KV_PATH: is not a file. Use deno task export, or the backup of the KV Connect server: " +
      "see docs/ops/backup.md.",
  );
  Deno.exit(2);
}
(await openKvOrExit(config)).close(); // reports a missing file, and one that is not a store
const copy = file ?? join(folder!, copyName(Date.now()));
try {
  const trustHost = publisherOf(createSurfaces(config));
  await backup({ path: kvPath, clock: Date.now, trustHost }, copy);
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
const { size } = await Deno.stat(copy);
// The copy is complete without these.
await note({ at: new Date().toISOString(), bytes: size });
console.log(`Copied ${kvPath} to ${copy} (${formatCount(Math.ceil(size / 1024))} KiB).`);
if (folder !== undefined) await removeOld(folder);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: Deno.args,
      allowPositionals: true,
      options: {
        into: { type: "string" },
        hours: { type: "string", default: "24" },
        days: { type: "string", default: "14" },
        note: { type: "boolean", default: false },
      },
    });
    const { into: folder, note: isNote } = values;
    const [file] = positionals;
    const ways = positionals.length + Number(folder !== undefined) + Number(isNote);
    const [hours, days] = [values.hours, values.days].map(Number);
    const retention: Retention = { hours, days };
    if (ways === 1 && [hours, days].every((each) => Number.isInteger(each) && each > 0)) {
      return { file, folder, isNote, retention };
    }
  } catch {
    // An unknown option.
  }
  console.error(
    "Usage: deno task backup <file> | --into <folder> [--hours 24] [--days 14] | --note",
  );
  Deno.exit(2);
}

/** The site shows how old the last backup is. */
async function note(last: LastBackup): Promise<void> {
  using kv = await openKvOrExit(config);
  await recordBackup(kv, last);
}

async function removeOld(folder: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const names = entries.filter(({ isFile }) => isFile).map(({ name }) => name);
  let deleted = 0;
  for (const name of oldCopies(names, retention, Date.now())) {
    try {
      await Deno.remove(join(folder, name));
      deleted++;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue; // another run was faster
      console.error(`${name} was not deleted: ${error instanceof Error ? error.message : error}`);
      Deno.exitCode = 1; // the others are deleted all the same
    }
  }
  if (deleted > 0) console.log(`Deleted older copies: ${formatCount(deleted)}.`);
}
