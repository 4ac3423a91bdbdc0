/** The frame of all commands: arguments, exit status, configuration and store. */
import { type Config, parseConfig } from "../config.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { VERSION } from "../../platform/config/release.ts";
import { FORMAT_KEY, isFile, openKv } from "../../platform/kv/mod.ts";
import { createSecrets } from "../../platform/secrets.ts";
import {
  fingerprints,
  formatOf,
  refusesFormat,
  refusesSecrets,
  type StoreFormat,
} from "../../platform/store/mod.ts";

/** The output of `--version`. */
export const NAME_AND_VERSION = `Gatehouse ${VERSION}`;

/** Returns the errors of a configuration, one line per variable, below a heading if there are several. */
export const problemText = ({ lines: [line, ...others] }: ConfigError): string =>
  others.length === 0 ? line : ["Invalid configuration:", line, ...others].join("\n  ");

/** The arguments and environment of a command, and the functions with which it prints lines. */
export interface CommandIo {
  args: readonly string[];
  /** The environment variables. */
  env: Record<string, string>;
  /** Prints to the standard output. */
  log(line: string): void;
  /** Prints to the standard error. */
  error(line: string): void;
}

/** A command. Returns its exit status, by default 0, or ends with {@linkcode refuse}. */
export type Command = (io: CommandIo) => Promise<number | void>;

/** The end of a command that cannot continue. */
class CommandEnd extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

/** Ends a command: its last line on the standard error is the message. */
export function refuse(message: string, status = 2): never {
  throw new CommandEnd(message, status);
}

/** Runs a command and returns its exit status. `--version` alone prints the version instead. */
export async function runCommand(command: Command, io: CommandIo): Promise<number> {
  if (io.args.join() === "--version") {
    io.log(NAME_AND_VERSION);
    return 0;
  }
  try {
    return await command(io) ?? 0;
  } catch (error) {
    if (!(error instanceof CommandEnd)) throw error;
    io.error(error.message);
    return error.status;
  }
}

/** Runs the command of this process, and ends the process with its status. */
export async function startCommand(command: Command): Promise<never> {
  const env = Deno.env.toObject();
  const io: CommandIo = {
    args: Deno.args,
    env,
    // One argument each: `lines.forEach(log)` passes three, and the console prints all.
    log: (line) => console.log(line),
    error: (line) => console.error(line),
  };
  Deno.exit(await runCommand(command, io));
}

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
