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
import { configOrExit, openKvOrExit } from "./command.ts";

const isEmpty = Deno.args[0] === "--empty";
if (Deno.args.length > (isEmpty ? 1 : 0)) {
  console.error("Usage: deno task log:move [--empty]");
  Deno.exit(2);
}
const config = configOrExit();
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
if (!moved.ok) {
  console.error(moved.message);
  Deno.exit(1);
}
console.log(
  isEmpty
    ? `The log begins again as ${origin}, with ${
      plural(moved.size, "event")
    } to add. ${moved.from} has ended.`
    : `The log is ${origin} now, with the ${
      plural(moved.size, "entry", "entries")
    } of ${moved.from}.`,
);
console.log(
  "Run deno task chain:sign, so that the heads of chains name the new host, and start the site.",
);
