/**
 * `deno task log:recover <copy>`: rebuilds the public log of a restored store from a copy, which is a folder with
 * the log's files, or the address of a log that still serves them. Exits with 0 when done, 1 if the copy is
 * not accepted, 2 on incorrect usage or if the store cannot be opened.
 *
 * @module
 */
import { configOrExit, openKvOrExit } from "./command.ts";
import { recoverFrom } from "./recover_from.ts";

const [location, ...rest] = Deno.args;
if (location === undefined || rest.length > 0 || location.startsWith("-")) {
  console.error(
    "Usage: deno task log:recover <folder, or address such as https://trust.example/log>",
  );
  Deno.exit(2);
}
const config = configOrExit();
using kv = await openKvOrExit(config);
if (!await recoverFrom(kv, config, location)) Deno.exit(1);
