/** The frame of all commands: arguments, output and exit status. */
import { VERSION } from "../../platform/config/release.ts";

/** The output of `--version`. */
export const NAME_AND_VERSION = `Gatehouse ${VERSION}`;

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
