/**
 * `deno task verify <address or file>`: verifies a chain of events, wherever it comes from. Exits
 * with 0 where it is verified, 1 where it is not, 2 where it could not be read.
 *
 * @module
 */
import { createLocalFetch } from "../http/local_fetch.ts";
import { verifyCommand } from "./command/verify_command.ts";
import { ChainReadError, readText } from "./reader/mod.ts";

const TIMEOUT_MS = 15_000;
const FILE_LIMIT = 64 * 1024 * 1024;

const localFetch = createLocalFetch();

async function readFile(path: string): Promise<string> {
  try {
    // Read as a stream, for a pipe does not say how much there will be.
    return await readText((await Deno.open(path)).readable, path, FILE_LIMIT);
  } catch (cause) {
    if (cause instanceof ChainReadError) throw cause;
    throw new ChainReadError("not_found", `${path} is neither an address nor a file.`, { cause });
  }
}

Deno.exit(
  await verifyCommand(Deno.args, {
    fetch: (input, init) => localFetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    readFile,
    writeFile: (path, text) => Deno.writeTextFile(path, text).then(() => true, () => false),
    print: console.log,
  }),
);
