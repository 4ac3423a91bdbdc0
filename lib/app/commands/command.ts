import { type Config, parseConfig } from "../config.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { FORMAT_KEY, isFile, openKv } from "../../platform/kv/mod.ts";
import { createSecrets } from "../../platform/secrets.ts";
import {
  fingerprints,
  formatOf,
  refusesFormat,
  refusesSecrets,
  type StoreFormat,
} from "../../platform/store/mod.ts";

/** Prints the errors of a configuration, one line per variable, below a heading if there are several. */
export function printProblems({ lines: [line, ...others] }: ConfigError): void {
  if (others.length === 0) return console.error(line);
  console.error(["Invalid configuration:", line, ...others].join("\n  "));
}

/** Returns the environment's configuration; exits with status 2 if it is invalid. */
export function configOrExit(): Config {
  try {
    return parseConfig(Deno.env.toObject());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printProblems(error);
    Deno.exit(2);
  }
}

/**
 * Opens the site's store for a command; exits with status 2 and prints one line if it cannot be
 * opened. Unlike the site, a command never creates a store, because a mistyped path would then look
 * like an empty one, and writes nothing to a new one, because rows without a format would look like an old one.
 */
export async function openKvOrExit({ kvPath }: Config): Promise<Deno.Kv> {
  if (kvPath === ":memory:") {
    refuse("must be the path of the running site's store; an in-memory store cannot be shared");
  }
  if (isFile(kvPath) && await isMissing(kvPath)) refuse(`there is no store at ${kvPath}`);
  const kv = await openKv(kvPath).catch((error) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return refuse(`should be a store that can be opened (${reason})`);
  });
  const reason = await refusesFormat(kv, kvPath) ??
    (await formatOf(kv) === null ? "names a new store; start the site with it first" : null);
  if (reason === null) return kv;
  kv.close();
  return refuse(reason);
}

/**
 * Exits with status 2 if rows of the store depend on a secret that is not configured: a command that deletes
 * would not find them.
 */
export async function requireSecrets(
  kv: Deno.Kv,
  { appSecrets: given, secretsGivenUp: givenUp }: Config,
): Promise<void> {
  const ids = await fingerprints(createSecrets({ kv, given }));
  const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
  const reason = refusesSecrets(value, { ids, givenUp }, Date.now());
  if (reason === null) return;
  kv.close();
  refuse(reason, "APP_SECRET");
}

function refuse(reason: string, variable = "KV_PATH"): never {
  console.error(`${variable}: ${reason}`);
  Deno.exit(2);
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
