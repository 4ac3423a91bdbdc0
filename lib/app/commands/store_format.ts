/**
 * `deno task store:format`: compares the format of the store with that of this version, which migrates
 * an older store when it starts. Exits with 0 if they are the same, with 3 if this version would
 * migrate the store, and with 2 if it cannot read the store.
 *
 * @module
 */
import { FORMAT } from "../../platform/kv/mod.ts";
import { formatOf } from "../../platform/store/mod.ts";
import { configOrExit, openKvOrExit } from "./command.ts";

const kv = await openKvOrExit(configOrExit());
const stored = await formatOf(kv);
kv.close();
if (stored === FORMAT) {
  console.log(`The store has format ${FORMAT}, as this version.`);
} else {
  console.log(
    `This version changes the format of the store from ${stored} to ${FORMAT}. Older versions ` +
      "cannot read it then: after the upgrade, the only way back is a backup.",
  );
  Deno.exit(3);
}
