/** The configuration and the store of commands. Those that need neither start in a fraction of the time without it. */
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
import { refuse } from "./command.ts";

/** Returns the errors of a configuration, one line per variable, below a heading if there are several. */
export const problemText = ({ lines: [line, ...others] }: ConfigError): string =>
  others.length === 0 ? line : ["Invalid configuration:", line, ...others].join("\n  ");

/** Returns the configuration of an environment; ends the command with status 2 if it is invalid. */
export function configOrExit(env: Record<string, string> = Deno.env.toObject()): Config {
  try {
    return parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(problemText(error));
  }
}

/**
 * Opens the site's store for a command; ends it with status 2 and one line if it cannot be
 * opened. Unlike the site, a command never creates a store, because a mistyped path would then look
 * like an empty one, and writes nothing to a new one, because rows without a format would look like an old one.
 */
export async function openKvOrExit({ kvPath }: Config): Promise<Deno.Kv> {
  if (kvPath === ":memory:") {
    refuseStore(
      "must be the path of the running site's store; an in-memory store cannot be shared",
    );
  }
  if (isFile(kvPath) && await isMissing(kvPath)) refuseStore(`there is no store at ${kvPath}`);
  const kv = await openKv(kvPath).catch((error) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return refuseStore(`should be a store that can be opened (${reason})`);
  });
  const reason = await refusesFormat(kv, kvPath) ??
    (await formatOf(kv) === null ? "names a new store; start the site with it first" : null);
  if (reason === null) return kv;
  kv.close();
  return refuseStore(reason);
}

/**
 * Ends the command with status 2 if rows of the store depend on a secret that is not configured: a command that deletes
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
  refuse(`APP_SECRET: ${reason}`);
}

/** Ends a command that cannot use its store. */
export function refuseStore(reason: string): never {
  refuse(`KV_PATH: ${reason}`);
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
