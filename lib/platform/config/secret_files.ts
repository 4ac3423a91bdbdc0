/** Secrets in files: reads the values of variables such as `<NAME>_FILE`, which can change while the site runs. */
import { resolve } from "node:path";
import type { z } from "zod";
import { isDenoDeploy } from "./deno_deploy.ts";
import { text } from "./fields.ts";

/** The folders that production reads secrets from. The permission set `site` contains both. */
const FOLDERS = ["/run/secrets", "/var/lib/gatehouse/secrets"];
const SUFFIX = "_FILE";
/** The largest file in bytes. */
const FILE_LIMIT = 64 * 1024;

/**
 * Marks a variable whose value may also be in a file, which `<variable>_FILE` names. The value is then
 * replaced while the site runs.
 */
export const secret = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ secret: true });

/** Returns the names of the variables that are marked as secrets. */
export const secretNames = (variables: z.ZodRawShape): string[] =>
  Object.entries(variables)
    .filter(([, schema]) => (schema as z.ZodType).meta()?.secret === true)
    .map(([name]) => name);

/** Returns the variables that name the files of secrets. */
export const fileVariables = (variables: z.ZodRawShape): z.ZodRawShape =>
  Object.fromEntries(secretNames(variables).map((name) => [name + SUFFIX, text.optional()]));

/** A secret that is set, with its values: several while it is replaced, the current one first. */
export interface ConfiguredSecret {
  variable: string;
  source: "file" | "environment";
  values: readonly string[];
}

/** Secrets that cannot be in files, because replacing them needs a restart. The store has its own rules for `APP_SECRET`. */
const SIGNING_KEYS = ["CHAIN_SIGNING_KEY", "LOG_SIGNING_KEY", "WITNESS_SIGNING_KEY"];

/**
 * Returns the secrets that are set.
 *
 * @param given the values of all variables
 * @param contents those that come from files
 */
export const configuredSecrets = (
  variables: z.ZodRawShape,
  given: Record<string, string | undefined>,
  contents: Record<string, string>,
): ConfiguredSecret[] =>
  [...secretNames(variables), ...SIGNING_KEYS].sort().flatMap((variable) => {
    const value = given[variable]?.trim();
    if (value === undefined) return [];
    const source = Object.hasOwn(contents, variable) ? "file" : "environment";
    const values = variable.endsWith("_WEBHOOK_SECRET")
      ? value.split(",").map((each) => each.trim()).filter((each) => each !== "")
      : [value];
    return values.length === 0 ? [] : [{ variable, source, values }];
  });

/** The contents of the files of secrets at one moment. */
export interface SecretFiles {
  /** The paths of the files, by the names of the secrets. */
  paths: Record<string, string>;
  /** The contents, by the names of the secrets. */
  values: Record<string, string>;
  /** A line for each file that cannot be used. None repeats a value. */
  problems: string[];
}

/**
 * Reads the files that variables ending in `_FILE` name.
 *
 * @param names the variables that may be in a file
 */
export function readSecretFiles(
  env: Record<string, string | undefined>,
  names: readonly string[],
): SecretFiles {
  const files: SecretFiles = { paths: {}, values: {}, problems: [] };
  for (const name of names) {
    const given = env[name + SUFFIX]?.trim();
    if (!given) continue;
    const path = resolve(given);
    files.paths[name] = path;
    const read = isDenoDeploy(env)
      ? { problem: `unset on Deno Deploy, which keeps no files; set ${name}` }
      : env[name]?.trim()
      ? { problem: `unset, because ${name} is set` }
      : env.APP_ENV?.trim() === "production" && !isAllowed(path)
      ? { problem: `a file below ${FOLDERS.join(" or ")} in production` }
      : readSecretFile(path);
    if (read.problem === undefined) files.values[name] = read.value;
    else files.problems.push(`${name}${SUFFIX}: should be ${read.problem}`);
  }
  return files;
}

const isAllowed = (path: string) => FOLDERS.some((folder) => path.startsWith(`${folder}/`));

function readSecretFile(
  path: string,
): { value: string; problem?: undefined } | { problem: string } {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile) return { problem: "a file, not a folder or device" };
    if (size > FILE_LIMIT) return { problem: `a file of at most ${FILE_LIMIT / 1024} KiB` };
    const value = Deno.readTextFileSync(path).trim();
    return value === "" ? { problem: "a file that is not empty" } : { value };
  } catch (error) {
    return {
      problem: error instanceof Deno.errors.NotFound
        ? "a file that exists"
        : "a file that the site may read",
    };
  }
}
