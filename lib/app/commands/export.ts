/**
 * `deno task export [file]`: writes all rows of the store as JSON lines, to the standard output if no
 * file is named. Exits with 0 when done, 1 if the file could not be written, 2 on incorrect usage or
 * if the store cannot be opened.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { configOrExit, openKvOrExit } from "./command.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { plural } from "../../base/time.ts";
import { exportStore } from "../../features/store/export.ts";
import { createPrivateFile } from "../../features/store/private_file.ts";

const [file = "-"] = Deno.args;
if (Deno.args.length > 1 || (file.startsWith("-") && file !== "-")) {
  console.error("Usage: deno task export [file]");
  Deno.exit(2);
}
const config = configOrExit();
using kv = await openKvOrExit(config);
const options = {
  kv,
  path: isFile(config.kvPath) ? config.kvPath : null,
  clock: Date.now,
  trustHost: publisherOf(createSurfaces(config)),
  revision: config.revision,
  tables: TABLES,
};

const { rows, snapshot, sha256 } = await (file === "-" ? toOutput() : toFile()).catch((error) => {
  console.error(`Nothing was exported: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
});
console.error(`Exported ${plural(rows, "row")}. SHA-256: ${sha256}`);
if (!snapshot) {
  console.error(
    "The rows were read one batch after the other. If the site was writing to the store, the " +
      "export may mix states: repeat it with READ_ONLY=1.",
  );
}

async function toOutput() {
  const writer = Deno.stdout.writable.getWriter();
  return await exportStore(options, (bytes) => writer.write(bytes));
}

async function toFile() {
  const output = await createPrivateFile(file);
  try {
    const exported = await exportStore(options, output.write);
    await output.finish();
    return exported;
  } catch (error) {
    await output.abandon();
    throw error;
  }
}
