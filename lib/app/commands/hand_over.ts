/**
 * `deno task hand-over <folder>`: writes everything that others need to go on verifying if the operator stops
 * (docs/ops/hand_over.md): the public log, all chains, the statements about documents, the keys, the standard, and a
 * page that checks with them. The site may run meanwhile. The folder has no secrets and no personal data. Exits with
 * 0 when done, 1 if the log could not be copied or has a fault, 2 on incorrect usage or if the store or the folder
 * cannot be used.
 *
 * @module
 */
import { plural } from "../../base/time.ts";
import { createServices } from "../services.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { writeFolder } from "./hand_over/folder.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number | void> {
  const [folder] = args;
  if (args.length !== 1 || folder.startsWith("-")) refuse("Usage: deno task hand-over <folder>");
  if (!await isFree(folder)) refuse(`${folder} should be an empty folder, or none yet.`);
  const config = configOrExit(env);
  const kv = await openKvOrExit(config);
  const services = createServices(config, kv);
  try {
    const written = await writeFolder(services, folder);
    if (written === null) refuse("The log has published nothing yet: start the site first.", 1);
    const { about, size, pending, findings } = written;
    log(
      `${folder}: ${plural(about.records, "record")}, ${
        plural(about.documents, "document")
      } and a log with ${plural(size, "entry", "entries")}, as of ${about.as_of}.`,
    );
    if (about.left_out > 0) {
      log(
        `${
          plural(about.left_out, "document is", "documents are")
        } left out, because the content could be guessed ` +
          "from the hash.",
      );
    }
    if (pending) {
      log(
        "Some entries are not in the log yet. Let the site run for a minute, and repeat the command.",
      );
    }
    for (const { fault, message } of findings) error(`The log has a fault (${fault}): ${message}`);
    return findings.length > 0 ? 1 : 0;
  } finally {
    await services.close();
  }
}

if (import.meta.main) await startCommand(main);

/** Returns whether a folder does not exist or is empty. */
async function isFree(folder: string): Promise<boolean> {
  try {
    for await (const _ of Deno.readDir(folder)) return false;
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
