import { cleanText } from "../../mcp/sanitise.ts";
import { ChainReadError, formatSavedChain } from "../reader/mod.ts";
import { verifyEvents } from "../verify.ts";
import { verifyChain } from "../verify_chain.ts";
import { BrokenFileError, type Evidence, gather, type Outside } from "./evidence.ts";
import { parseOptions, USAGE, type VerifyOptions } from "./options.ts";
import { faultLine, reportLines } from "./report.ts";

/** What the command uses of the machine it runs on. */
export interface Machine extends Outside {
  /** @returns false where it cannot be written there */
  writeFile: (path: string, text: string) => Promise<boolean>;
  /** Shows a line. */
  print: (line: string) => void;
}

/** Verified; not verified; could not be read, or not asked properly. */
export type ExitCode = 0 | 1 | 2;

/**
 * `deno task verify <address or file>`: verifies a chain as the standard says, and says what that
 * shows.
 *
 * @returns what the process exits with
 */
export async function verifyCommand(args: string[], machine: Machine): Promise<ExitCode> {
  // What others wrote may hold anything, also what moves a terminal's cursor.
  const print = (line: string) => machine.print(cleanText(line).replaceAll("\n", " "));
  const options = parseOptions(args);
  if (typeof options === "string") {
    print(options);
    machine.print(USAGE);
    return 2;
  }
  try {
    return await verify(options, await gather(options, machine), { ...machine, print });
  } catch (error) {
    if (error instanceof BrokenFileError) return notVerified(error, print);
    if (!(error instanceof ChainReadError)) throw error;
    print(`Not read: ${error.message}`);
    return 2;
  }
}

async function verify(
  { save }: VerifyOptions,
  evidence: Evidence,
  { print, writeFile }: Machine,
): Promise<ExitCode> {
  const { hash, publisher, head, events, keys, keysFrom } = evidence;
  if (save !== undefined) {
    const text = formatSavedChain({ hash, publisher, head, keys: keys ?? [], events });
    if (!await writeFile(save, text)) {
      print(`Not kept: ${save} cannot be written.`);
      return 2;
    }
  }
  if (keys === undefined) {
    const intact = await verifyEvents(hash, events);
    if (!intact.ok) return notVerified(intact, print);
    print(`Not verified: there are no keys to check the head with. ${keysFrom}`);
    print(
      `The ${intact.size} events are intact as far as they go; events missing at the end cannot ` +
        "be excluded.",
    );
    return 2;
  }
  const result = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  if (!result.ok) return notVerified(result, print);
  reportLines(evidence, result).forEach(print);
  return 0;
}

function notVerified(fault: Parameters<typeof faultLine>[0], print: Machine["print"]): ExitCode {
  print(faultLine(fault));
  return 1;
}
