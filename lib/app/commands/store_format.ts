/**
 * `deno task store:format`: compares the format of the store with that of this version, which migrates
 * an older store when it starts. Exits with 0 if they are the same, with 3 if this version would
 * migrate the store, and with 2 if it cannot read the store.
 *
 * @module
 */
import { FORMAT } from "../../platform/kv/mod.ts";
import { formatOf } from "../../platform/store/mod.ts";
import { type CommandIo, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";

/** The command; the module says what it does. */
export async function main({ env, log }: CommandIo): Promise<number | void> {
  const kv = await openKvOrExit(configOrExit(env));
  const stored = await formatOf(kv);
  kv.close();
  if (stored === FORMAT) {
    log(`The store has format ${FORMAT}, as this version.`);
  } else {
    log(
      `This version changes the format of the store from ${stored} to ${FORMAT}. Older versions ` +
        "cannot read it then: after the upgrade, the only way back is a backup.",
    );
    return 3;
  }
}

if (import.meta.main) await startCommand(main);
