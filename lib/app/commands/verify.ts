/**
 * `deno task verify <url or file>`: verifies a chain of events from a server or a file. Exits with 0
 * if it is verified, 1 if it is not, 2 if it could not be read.
 *
 * @module
 */
import { join } from "node:path";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { SECOND_MS } from "../../base/time.ts";
import { verifyCommand } from "../../features/verifier/command/verify_command.ts";
import { ChainReadError, MAX_FILE_BYTES, readText } from "../../features/chain/mod.ts";
import { configFolder, folderMemory } from "../../features/verifier/command/remembered_logs.ts";

const TIMEOUT_MS = 15 * SECOND_MS;

const localFetch = createLocalFetch();

async function readFile(path: string): Promise<string> {
  try {
    // Read as a stream, because the size of a pipe is unknown.
    return await readText((await Deno.open(path)).readable, path, MAX_FILE_BYTES);
  } catch (cause) {
    if (cause instanceof ChainReadError) throw cause;
    const message = `${path} is neither a URL nor a readable file.`;
    throw new ChainReadError("not_found", message, { cause });
  }
}

const folder = configFolder(Deno.env.get);

Deno.exit(
  await verifyCommand(Deno.args, {
    fetch: (input, init) => localFetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    readFile,
    writeFile: (path, text) => Deno.writeTextFile(path, text).then(() => true, () => false),
    print: console.log,
    clock: Date.now,
    memory: folderMemory(folder),
    policyFile: join(folder, "log-policy"),
  }),
);
