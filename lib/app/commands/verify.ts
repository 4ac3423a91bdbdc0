/**
 * `deno task verify <url or file>`: verifies a chain of events from a server or a file. Exits with 0
 * if it is verified, 1 if it is not, 2 if it could not be read.
 *
 * @module
 */
import { verifyCommand } from "./verify/verify_command.ts";
import { startCommand } from "./command.ts";
import { openLogIo } from "./log_io.ts";

await startCommand(({ args }) => verifyCommand(args, openLogIo()));
