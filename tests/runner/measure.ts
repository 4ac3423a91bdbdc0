/**
 * Measures the CPU time of each test file of a group, with its child processes. A group imports this
 * module before its files if {@linkcode TIMES_FILE} names a file.
 *
 * @module
 */
import { relative } from "node:path";
import process from "node:process";

/** The variable with the file to which the times are appended: one JSON value per line. */
export const TIMES_FILE = "GATEHOUSE_TEST_TIMES";

/** The processor time of one test, or of loading all files of a group. */
export interface Measured {
  /** The path from the root; null for the loading. */
  file: string | null;
  seconds: number;
}

const ROOT = new URL("../..", import.meta.url).pathname;
/** Clock ticks per second in `/proc`, on all systems of today. */
const TICKS = 100;

/** Returns the CPU seconds of a process, and of its children that have ended. */
function secondsOf(pid: string): { own: number; ended: number } {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const [own, system, ended, endedSystem] = text.slice(text.lastIndexOf(")")).split(" ")
      .slice(12, 16).map((ticks) => Number(ticks) / TICKS);
    return { own: own + system, ended: ended + endedSystem };
  } catch {
    return { own: 0, ended: 0 }; // it has exited, or the system has no /proc
  }
}

function childrenOf(pid: string): string[] {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) =>
      Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).split(" ").slice(0, -1)
    );
  } catch {
    return [];
  }
}

/** Returns the CPU seconds of all processes below one, the ended ones included. */
function secondsBelow(pid: string): number {
  return childrenOf(pid).reduce(
    (sum, child) => sum + secondsOf(child).own + secondsBelow(child),
    secondsOf(pid).ended,
  );
}

function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + secondsBelow("self");
}

/** Returns the test file that is calling. Groups import files, so it is the outermost caller. */
function callingFile(): string {
  const files = [...new Error().stack!.matchAll(/file:\/\/([^\s:)]+)/g)].map(([, path]) => path);
  return relative(ROOT, files.findLast((path) => path.startsWith(ROOT)) ?? "");
}

/** Replaces `Deno.test` by a function that measures the tests. */
export function measureTests(path: string): void {
  // Opened here, because some tests run without the permission to write.
  const file = Deno.openSync(path, { append: true, create: true });
  const write = (measured: Measured) =>
    file.writeSync(new TextEncoder().encode(`${JSON.stringify(measured)}\n`));
  let isLoaded = false;
  // deno-lint-ignore no-explicit-any -- the overloads of Deno.test
  type Any = any;
  const wrapped = (fn: Any, file: string) =>
    async function (...args: Any[]) {
      const begun = now();
      if (!isLoaded) write({ file: null, seconds: begun });
      isLoaded = true;
      try {
        return await fn(...args);
      } finally {
        write({ file, seconds: now() - begun });
      }
    };
  const { test } = Deno;
  const register = (...args: Any[]) => {
    const file = callingFile();
    const last = args.length - 1;
    const { name } = typeof args[last] === "function" ? args[last] : args[last].fn;
    const measured = (fn: Any) => Object.defineProperty(wrapped(fn, file), "name", { value: name });
    if (typeof args[last] === "function") args[last] = measured(args[last]);
    else args[last] = { ...args[last], fn: measured(args[last].fn) };
    return (test as Any)(...args);
  };
  Object.assign(Deno, { test: Object.assign(register, test) });
}

const given = Deno.env.get(TIMES_FILE);
if (given !== undefined) measureTests(given);
