/**
 * `deno task log:move [--empty]`: moves the public log to the configured trust host. With `--empty`, because
 * something of the old log is lost, it begins an empty log there and adds everything that the store has to
 * it. Stop the site first. Exits with 0 when done, 1 if there is nothing to move, 2 on incorrect usage or if
 * the store cannot be opened.
 *
 * @module
 */
import { plural } from "../../base/time.ts";
import { logDocumentsAgain } from "../../features/documents/mod.ts";
import {
  beginAgain,
  configuredAnchor,
  moveLog,
  openLogKeys,
  originOf,
} from "../../features/log/mod.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log }: CommandIo): Promise<number | void> {
  const isEmpty = args[0] === "--empty";
  if (args.length > (isEmpty ? 1 : 0)) {
    refuse("Usage: deno task log:move [--empty]");
  }
  const config = configOrExit(env);
  using kv = await openKvOrExit(config);
  const origin = originOf(createSurfaces(config));
  const options = {
    kv,
    clock: Date.now,
    origin,
    anchor: configuredAnchor(config.log, config.documents.s3, fetch),
    signers: (from: string) => openLogKeys(kv, config.log.signingKeys, from),
  };
  const moved = isEmpty
    ? await beginAgain(options, () => logDocumentsAgain(kv, Date.now()))
    : await moveLog(options);
  if (!moved.ok) refuse(moved.message!, 1);
  log(
    isEmpty
      ? `The log starts over as ${origin}, with ${
        plural(moved.size, "event")
      } to add. ${moved.from} has ended.`
      : `The log is ${origin} now, with the ${
        plural(moved.size, "entry", "entries")
      } of ${moved.from}.`,
  );
  log(
    "Run deno task chain:sign, so that the heads of chains name the new host, and start the site.",
  );
}

if (import.meta.main) await startCommand(main);
