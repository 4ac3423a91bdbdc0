/**
 * `deno task log:recover <copy>`: rebuilds the public log of a restored store from a copy, which is a folder with
 * the log's files, or the address of a log that still serves them. Exits with 0 when done, 1 if the copy is
 * not accepted, 2 on incorrect usage or if the store cannot be opened.
 *
 * @module
 */
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { recoverFrom } from "./recover_from.ts";

/** The command; the module says what it does. */
export async function main(io: CommandIo): Promise<number | void> {
  const [location, ...rest] = io.args;
  if (location === undefined || rest.length > 0 || location.startsWith("-")) {
    refuse("Usage: deno task log:recover <folder, or address such as https://trust.example/log>");
  }
  const config = configOrExit(io.env);
  using kv = await openKvOrExit(config);
  return await recoverFrom(kv, config, location, io) ? 0 : 1;
}

if (import.meta.main) await startCommand(main);
