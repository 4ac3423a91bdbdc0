/** Runs one group of test files with `deno test`, and kills it if it hangs. */
import { join } from "node:path";
import { type Schedule, scheduleTimeout } from "../../lib/base/schedule.ts";
import { TIMES_FILE } from "./measure.ts";
import { Report } from "./report.ts";

/** Test files that run in one isolate, so that they share the modules which they import. */
export interface Group {
  name: string;
  paths: readonly string[];
}

export interface GroupOptions {
  /** The folder in which Deno runs, with the `deno.json`. */
  root: string;
  /** A folder for the group's module. */
  folder: string;
  /** More arguments of `deno test`. */
  flags: readonly string[];
  env: Record<string, string>;
  /** A group that prints nothing for this long is killed. */
  silenceMs: number;
  /** Starts the timer of the silence; replaced in tests. */
  schedule?: Schedule;
  /** Receives what the group prints, line by line. */
  onLine?: (line: string) => void;
}

export interface GroupOutcome {
  report: Report;
  /** The output of Deno and the tests. */
  output: string;
  /** Why the group fails, unless only because of failed tests. */
  problem: string | null;
}

/** Runs a group with `deno test` and reads how far it came. Aborting the signal kills it. */
export async function runGroup(
  group: Group,
  options: GroupOptions,
  signal: AbortSignal,
): Promise<GroupOutcome> {
  const { root, folder, flags, env, silenceMs, schedule = scheduleTimeout, onLine } = options;
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "-A",
      "--frozen",
      "--lock=dev.lock",
      "--quiet",
      "--no-check",
      "--preload=lib/platform/kv/testing/watched_stores.ts",
      ...flags,
      entryOf(group, folder, TIMES_FILE in env),
    ],
    cwd: root,
    env,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const report = new Report();
  let output = "";
  let silent = false;
  const kill = () => {
    try {
      process.kill("SIGKILL");
    } catch { /* it has exited */ }
  };
  signal.addEventListener("abort", kill);
  const expire = () => {
    silent = true;
    kill();
  };
  let cancel = schedule(expire, silenceMs);
  const read = async (
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    receive: (line: string) => void,
  ) => {
    let rest = "";
    const show = (line: string) => {
      receive(line);
      output += `${line}\n`;
      onLine?.(line);
    };
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      cancel();
      cancel = schedule(expire, silenceMs);
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      lines.forEach(show);
    }
    if (rest !== "") show(rest.trimEnd());
  };
  const reading = [
    read(process.stdout, (line) => report.read(line)),
    read(process.stderr, (line) => report.readError(line)),
  ];
  const status = await process.status;
  await Promise.all(reading);
  cancel();
  signal.removeEventListener("abort", kill);
  const end = silent
    ? `was killed, because it printed nothing for ${silenceMs / 1000} s`
    : endOf(status);
  return { report, output, problem: problemOf(report, status.success && !silent, end) };
}

/** Returns the module of a group. A single file is its own, unless it is measured. */
function entryOf({ name, paths }: Group, folder: string, isMeasured: boolean): string {
  if (paths.length === 1 && !isMeasured) return paths[0];
  const path = join(folder, `${name.replaceAll(/[ /]/g, "_")}_test.ts`);
  const urls = paths.map((file) => `file://${file}`);
  if (isMeasured) urls.unshift(import.meta.resolve("./measure.ts"));
  Deno.writeTextFileSync(path, urls.map((url) => `import "${url}";\n`).join(""));
  return path;
}

const endOf = ({ code, signal }: Deno.CommandStatus): string =>
  signal === null ? `ended with status ${code}` : `was killed by ${signal}`;

function problemOf(report: Report, success: boolean, end: string): string | null {
  const { planned, lost, running, complete, failed, usesOnly } = report;
  if (planned === null) return `${end} before its tests were registered`;
  const during = running === null ? "" : ` during “${running}”`;
  if (usesOnly) return `${end}: ${lost} tests did not run because of \`only\``;
  if (lost > 0) return `${end}${during}: ${lost} of ${planned} tests did not run to their end`;
  if (!complete) return `${end} before its summary`;
  return success || failed > 0 ? null : `${end}, although no test failed`;
}
