/**
 * `deno task backup <file>`: copies the store's file while the site may be running. Exits with 0 when
 * done, 1 if the copy could not be made, 2 on incorrect usage or if the store is not a file.
 *
 * @module
 */
import { configOrExit, openKvOrExit } from "./command.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { recordBackup } from "../../platform/store/mod.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { formatCount } from "../../base/time.ts";
import { backup } from "../../features/store/backup.ts";

const [file] = Deno.args;
if (Deno.args.length !== 1 || file.startsWith("-")) {
  console.error("Usage: deno task backup <file>");
  Deno.exit(2);
}
const config = configOrExit();
const { kvPath } = config;
if (!isFile(kvPath)) {
  console.error(
    "KV_PATH: is not a file. Use deno task export, or the backup of the KV Connect server: " +
      "see docs/ops/backup.md.",
  );
  Deno.exit(2);
}
(await openKvOrExit(config)).close(); // reports a missing file, and one that is not a store
try {
  const trustHost = publisherOf(createSurfaces(config));
  await backup({ path: kvPath, clock: Date.now, trustHost }, file);
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
const { size } = await Deno.stat(file);
// The site shows how old the last copy is. The copy itself is complete without it.
using kv = await openKvOrExit(config);
await recordBackup(kv, { at: new Date().toISOString(), bytes: size });
console.log(`Copied ${kvPath} to ${file} (${formatCount(Math.ceil(size / 1024))} KiB).`);
