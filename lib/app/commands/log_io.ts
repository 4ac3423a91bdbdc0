import { join } from "node:path";
import { SECOND_MS } from "../../base/time.ts";
import { ChainReadError, MAX_FILE_BYTES, readText } from "../../../packages/proof/mod.ts";
import { configFolder, folderMemory } from "./verify/remembered_logs.ts";
import type { LogIo } from "./verify/report_log.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";

const TIMEOUT_MS = 15 * SECOND_MS;

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

/** Returns what commands use that check something against a public log. */
export function openLogIo(): LogIo & { print: (line: string) => void } {
  const folder = configFolder(Deno.env.get);
  const fetch = createLocalFetch();
  return {
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    readFile,
    writeFile: (path, text) => Deno.writeTextFile(path, text).then(() => true, () => false),
    print: console.log,
    clock: Date.now,
    memory: folderMemory(folder),
    policyFile: join(folder, "log-policy"),
  };
}
