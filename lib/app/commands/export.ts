/**
 * `deno task export [file]`: writes all rows of the store as JSON lines, to the standard output if no
 * file is named. Exits with 0 when done, 1 if the file could not be written, 2 on incorrect usage or
 * if the store cannot be opened.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { createSurfaces, publisherOf } from "../../platform/surfaces/mod.ts";
import { plural } from "../../base/time.ts";
import { type ExportOptions, exportStore } from "../../features/store/export.ts";
import { createPrivateFile } from "../../features/store/private_file.ts";

/** The command; the module says what it does. */
export async function main({ args, env, error }: CommandIo): Promise<number | void> {
  const [file = "-"] = args;
  if (args.length > 1 || (file.startsWith("-") && file !== "-")) {
    refuse("Usage: deno task export [file]");
  }
  const config = configOrExit(env);
  using kv = await openKvOrExit(config);
  const options = {
    kv,
    path: isFile(config.kvPath) ? config.kvPath : null,
    clock: Date.now,
    trustHost: publisherOf(createSurfaces(config)),
    revision: config.revision,
    tables: TABLES,
  };

  const { rows, snapshot, sha256 } = await (
    file === "-" ? toOutput(options) : toFile(options, file)
  ).catch((cause) =>
    refuse(`Nothing was exported: ${cause instanceof Error ? cause.message : cause}`, 1)
  );
  error(`Exported ${plural(rows, "row")}. SHA-256: ${sha256}`);
  if (!snapshot) {
    error(
      "The rows were read one batch after the other. If the site was writing to the store, the " +
        "export may mix states: repeat it with READ_ONLY=1.",
    );
  }
}

if (import.meta.main) await startCommand(main);

async function toOutput(options: ExportOptions) {
  const writer = Deno.stdout.writable.getWriter();
  return await exportStore(options, (bytes) => writer.write(bytes));
}

async function toFile(options: ExportOptions, file: string) {
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
