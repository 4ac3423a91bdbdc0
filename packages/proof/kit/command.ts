/**
 * The command `conform`: runs a program, sends it the checks, and prints the report.
 *
 * @module
 */
import { cleanText } from "../../../lib/base/sanitise.ts";
import { inTime } from "../../../lib/base/in_time.ts";
import { SECOND_MS } from "../../../lib/base/time.ts";
import { conformanceCases } from "./cases.ts";
import { converse } from "./converse.ts";
import { judge, reportLines } from "./report.ts";

/** Everything passed; something failed; incorrect usage. */
type ExitCode = 0 | 1 | 2;

const USAGE = `Usage: deno task conform [--timeout <seconds>] [--json] <command> [arguments…]
       deno task conform --requests

  <command>            the program to check: it reads requests and writes responses, one per line
  --timeout <seconds>  how long to wait for each response (10 by default)
  --json               print the report as JSON
  --requests           print the requests with the expected responses instead

Exits with 0 if the program passes every check, 1 if it does not, 2 if it could not be started.
docs/conform.md describes the protocol.`;

const DEFAULT_TIMEOUT_MS = 10 * SECOND_MS;
const MAX_TIMEOUT_S = 600;

/** How much of a program's standard error is shown, from its end. */
const SHOWN_ERROR_CHARACTERS = 2_000;

/** How long to wait for the rest of it once the program has ended. */
const MAX_REST_MS = 100;

interface Options {
  timeoutMs: number;
  json: boolean;
  requests: boolean;
  command: readonly string[];
}

/** Runs `deno task conform`: checks a program against the vectors of the standard. */
export async function conformCommand(
  args: readonly string[],
  print: (line: string) => void,
): Promise<ExitCode> {
  const options = parseOptions(args);
  if (options === null) {
    print(USAGE);
    return 2;
  }
  const cases = await conformanceCases();
  if (options.requests) {
    for (const { line, expected } of cases) {
      print(line);
      print(`  expected: ${JSON.stringify(expected)}`);
    }
    return 0;
  }
  const [command, ...rest] = options.command;
  const child = start(command, rest);
  if (child === null) {
    print(`${cleanText(command)} could not be started. Is it the name of a program on the PATH?`);
    return 2;
  }
  const errors = collectEnd(child.stderr);
  const { responses, problems, ended } = await converse(child, cases, options.timeoutMs);
  if (!ended) kill(child);
  const status = await exitOf(child, options.timeoutMs);
  if (ended && status === null) problems.push("The program closed its output but did not end.");
  if (ended && status !== null && status.code !== 0) {
    const how = status.signal === null ? `the status ${status.code}` : status.signal;
    problems.push(`The program ended with ${how}.`);
  }

  const errorText = await errors.take();
  const verdicts = judge(cases, responses);
  const conforms = problems.length === 0 && verdicts.every(({ passed }) => passed);
  if (options.json) {
    print(JSON.stringify({ conforms, problems, checks: verdicts }, null, 2));
  } else {
    for (const line of reportLines(verdicts, problems)) print(line);
    if (!conforms && errorText !== "") print(`\nIts standard error:\n${errorText}`);
  }
  return conforms ? 0 : 1;
}

function parseOptions(args: readonly string[]): Options | null {
  const options = { timeoutMs: DEFAULT_TIMEOUT_MS, json: false, requests: false };
  const rest = [...args];
  while (rest[0]?.startsWith("--")) {
    const option = rest.shift();
    if (option === "--") break;
    if (option === "--json") options.json = true;
    else if (option === "--requests") options.requests = true;
    else if (option === "--timeout") {
      const seconds = Number(rest.shift());
      if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S)) return null;
      options.timeoutMs = seconds * SECOND_MS;
    } else return null;
  }
  if (options.requests !== (rest.length === 0)) return null;
  return { ...options, command: rest };
}

function start(command: string, args: string[]): Deno.ChildProcess | null {
  try {
    return new Deno.Command(command, { args, stdin: "piped", stdout: "piped", stderr: "piped" })
      .spawn();
  } catch {
    return null;
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Returns how a program ended. One that does not is killed, and null is returned. */
async function exitOf(child: Deno.ChildProcess, timeoutMs: number) {
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    kill(child);
  }, timeoutMs);
  const status = await child.status;
  clearTimeout(timer);
  return killed ? null : status;
}

/**
 * Collects the end of what a program writes. Programs that it started may keep the stream open after
 * it ended, so `take` waits only briefly for the rest.
 */
function collectEnd(stream: ReadableStream<Uint8Array<ArrayBuffer>>): { take(): Promise<string> } {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const read = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text = (text + part.value).slice(-SHOWN_ERROR_CHARACTERS);
    }
  })();
  return {
    async take() {
      await inTime(read.catch(() => {}), MAX_REST_MS);
      await reader.cancel();
      return cleanText(text).trim();
    },
  };
}
