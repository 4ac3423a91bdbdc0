import { type Config, ConfigError, parseConfig } from "../config.ts";

/** Shows what is wrong with a configuration, one line for each variable. */
export function printProblems({ lines }: ConfigError): void {
  console.error("The configuration cannot be used:");
  for (const line of lines) console.error(`  ${line}`);
}

/** The environment's configuration, for a command: where it cannot be used, the command exits with 2. */
export function configOrExit(): Config {
  try {
    return parseConfig(Deno.env.toObject());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printProblems(error);
    Deno.exit(2);
  }
}
