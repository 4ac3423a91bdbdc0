/**
 * `deno task check-document <file> [--at <trust URL>] [--issuer <domain>]`: asks a trust surface whether
 * a file is a registered document. Only the file's hash is sent. Exits with 0 if it matches a current
 * document of the organisation with that verified domain, or without `--issuer` of the one that registered
 * it first; 1 if it does not, 2 if it could not be checked.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { startCommand } from "./command.ts";
import { configOrExit } from "./command_store.ts";
import { openLogIo } from "./log_io.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import { checkCommand } from "./verify/check_command.ts";

async function hashFile(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const bytes of (await Deno.open(path)).readable) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { sha256: hash.digest("hex"), size };
}

await startCommand(({ args, env }) =>
  checkCommand(args, {
    ...openLogIo(),
    hashFile,
    trustUrl: createSurfaces(configOrExit(env)).url("trust") ?? "",
  })
);
