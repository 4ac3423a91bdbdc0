/**
 * Runs commands of `deno task` in the test's process, or as one of their own.
 *
 * @module
 */
import { type Command, runCommand } from "../lib/app/commands/command.ts";

/** The status and the output of a command. */
export interface CommandRun {
  code: number;
  /** The standard output. */
  out: string;
  /** The standard error. */
  err: string;
}

/** The environment of a command that opens a store in a file. */
const envOf = (store: string) => ({ KV_PATH: store, APP_ENV: "development" });

/** Runs a command's `main` on a store in this process, which takes a hundredth of the time of a start. */
export async function runMain(
  main: Command,
  store: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<CommandRun> {
  const printed = { out: "", err: "" };
  const code = await runCommand(main, {
    args,
    env: { ...envOf(store), ...env },
    log: (line) => printed.out += `${line}\n`,
    error: (line) => printed.err += `${line}\n`,
  });
  return { code, ...printed };
}

/** Starts a command on a store as `deno task` does, for the tests of its start. */
export async function startMain(
  name: string,
  store: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<CommandRun> {
  const script = `lib/app/commands/${name}.ts`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", "--lock=deno.lock", "--quiet", script, ...args],
    cwd: new URL("..", import.meta.url),
    env: { ...envOf(store), DENO_KV_ACCESS_TOKEN: "t", NO_COLOR: "1", ...env },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}
