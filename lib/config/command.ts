import { type Config, ConfigError, parseConfig } from "../config.ts";

/** Prints the errors of a configuration, one line per variable. */
export function printProblems({ lines }: ConfigError): void {
  console.error("Invalid configuration:");
  for (const line of lines) console.error(`  ${line}`);
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
