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
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit, refuseStore } from "./command_store.ts";
import type { Config } from "../config.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { type LastBackup, recordBackup } from "../../platform/store/mod.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { formatCount } from "../../base/time.ts";
import { backup } from "../../features/store/backup.ts";
import { copyName, oldCopies, type Retention } from "../../features/store/old_copies.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number> {
  const { file, folder, isNote, retention } = readArguments(args);
  const config = configOrExit(env);
  const { kvPath } = config;
  if (isNote) {
    await note(config, { at: new Date().toISOString() });
    log("Recorded that a backup was made now.");
    return 0;
  }
  if (!isFile(kvPath)) {
    refuseStore(
      "is not a file. Use deno task export, or the backup of the KV Connect server: " +
        "see docs/ops/backup.md.",
    );
  }
  (await openKvOrExit(config)).close(); // reports a missing file, and one that is not a store
  const copy = file ?? join(folder!, copyName(Date.now()));
  const trustHost = publisherOf(createSurfaces(config));
  await backup({ path: kvPath, clock: Date.now, trustHost }, copy).catch((cause) =>
    refuse(`No backup was made: ${cause instanceof Error ? cause.message : cause}`, 1)
  );
  const { size } = await Deno.stat(copy);
  // The copy is complete without these.
  await note(config, { at: new Date().toISOString(), bytes: size });
  log(`Copied ${kvPath} to ${copy} (${formatCount(Math.ceil(size / 1024))} KiB).`);
  if (folder === undefined) return 0;
  const { deleted, problems } = await removeOld(folder, retention);
  problems.forEach(error);
  if (deleted > 0) log(`Deleted older copies: ${formatCount(deleted)}.`);
  return problems.length > 0 ? 1 : 0;
}

if (import.meta.main) await startCommand(main);

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
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
  return refuse(
    "Usage: deno task backup <file> | --into <folder> [--hours 24] [--days 14] | --note",
  );
}

/** The site shows how old the last backup is. */
async function note(config: Config, last: LastBackup): Promise<void> {
  using kv = await openKvOrExit(config);
  await recordBackup(kv, last);
}

async function removeOld(folder: string, retention: Retention) {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const names = entries.filter(({ isFile }) => isFile).map(({ name }) => name);
  let deleted = 0;
  const problems: string[] = [];
  for (const name of oldCopies(names, retention, Date.now())) {
    try {
      await Deno.remove(join(folder, name));
      deleted++;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue; // another run was faster
      // The others are deleted all the same.
      problems.push(`${name} was not deleted: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { deleted, problems };
}
