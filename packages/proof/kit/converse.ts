/**
 * Sends the requests of the kit to a program, and reads its responses.
 *
 * @module
 */
import { cleanText } from "../../../lib/base/sanitise.ts";
import type { Case } from "./cases.ts";

/** The most bytes that a program may write for all requests together. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The most lines that are reported as problems before the program is stopped. */
const MAX_PROBLEMS = 10;

/** The standard input and output of a program. */
export interface Streams {
  stdin: WritableStream<Uint8Array<ArrayBuffer>>;
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface Conversation {
  /** The responses by the id of their request. */
  responses: Map<number, Record<string, unknown>>;
  /** How the program broke the protocol. */
  problems: string[];
  /** True if the program's output ended by itself. Otherwise it should be stopped. */
  ended: boolean;
}

/**
 * Sends all requests to a program and reads its responses. Reading stops when the output ends, when the
 * program writes too much, or when it writes no response for `timeoutMs`.
 */
export async function converse(
  { stdin, stdout }: Streams,
  cases: readonly Case[],
  timeoutMs: number,
): Promise<Conversation> {
  const responses: Conversation["responses"] = new Map();
  const problems: string[] = [];
  const stopped = new AbortController();
  send(stdin, cases, stopped.signal);
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let bytes = 0;
  let next = 0; // the index of the case whose response is due
  let timer = startTimer(timeoutMs);

  const accept = (line: string): void => {
    if (line.trim() === "") return;
    const response = parseObject(line);
    if (response === null) {
      problems.push(`The program printed a line that is not a JSON object: ${excerpt(line)}`);
      return;
    }
    const { id } = response;
    const index = cases.findIndex((each) => each.id === id);
    if (index === -1) {
      problems.push(`A response has a missing or unknown id: ${excerpt(line)}`);
    } else if (responses.has(cases[index].id)) {
      problems.push(`The program responded to request ${id} more than once.`);
    } else {
      if (index !== next) {
        const due = cases[next].id;
        problems.push(`The response to request ${id} came when the one to ${due} was due.`);
      }
      responses.set(cases[index].id, response);
      while (next < cases.length && responses.has(cases[next].id)) next++;
      timer.stop();
      timer = startTimer(timeoutMs);
    }
  };

  let ended = false;
  for (;;) {
    const read = await Promise.race([reader.read(), timer.expired]);
    if (read === "expired") {
      const seconds = `${timeoutMs / 1000} s`;
      problems.push(
        next < cases.length
          ? `There was no response to request ${cases[next].id} within ${seconds}. ` +
            "Write each response at once, or end when the input ends."
          : `The program did not end within ${seconds} after its last response.`,
      );
      break;
    }
    if (read.done) {
      accept(rest + decoder.decode());
      ended = true;
      break;
    }
    bytes += read.value.length;
    if (bytes > MAX_OUTPUT_BYTES) {
      problems.push(`The program wrote more than ${MAX_OUTPUT_BYTES / 1024} KiB and was stopped.`);
      break;
    }
    const lines = (rest + decoder.decode(read.value, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (problems.length < MAX_PROBLEMS) accept(line);
    }
    if (problems.length >= MAX_PROBLEMS) {
      problems.push("The program was stopped because of too many problems.");
      break;
    }
  }
  timer.stop();
  stopped.abort();
  if (!ended) reader.cancel().catch(() => {});
  return { responses, problems, ended };
}

/** A program that stops reading is not an error by itself: its missing responses are. */
function send(stdin: Streams["stdin"], cases: readonly Case[], signal: AbortSignal): void {
  const encoder = new TextEncoder();
  ReadableStream.from(cases.map(({ line }) => encoder.encode(`${line}\n`)))
    .pipeTo(stdin, { signal }).catch(() => {});
}

function startTimer(ms: number): { expired: Promise<"expired">; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<"expired">();
  const timer = setTimeout(() => resolve("expired"), ms);
  return { expired: promise, stop: () => clearTimeout(timer) };
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const excerpt = (line: string): string => {
  const text = cleanText(line);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};
