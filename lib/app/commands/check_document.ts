/**
 * `deno task check-document <file> [--at <trust URL>]`: asks a trust surface whether a file is a
 * registered document. Only the file's hash is sent. Exits with 0 if it matches a current document,
 * 1 if it does not, 2 if it could not be checked.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { configOrExit } from "./command.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import { SECOND_MS } from "../../base/time.ts";
import { checkCommand } from "../../features/documents/command/check_command.ts";

const TIMEOUT_MS = 15 * SECOND_MS;

const localFetch = createLocalFetch();

async function hashFile(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const bytes of (await Deno.open(path)).readable) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { sha256: hash.digest("hex"), size };
}

Deno.exit(
  await checkCommand(Deno.args, {
    fetch: (input, init) => localFetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    hashFile,
    print: console.log,
    trustUrl: createSurfaces(configOrExit()).url("trust") ?? "",
  }),
);
