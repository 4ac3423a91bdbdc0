/**
 * Servers in processes of their own, on one core, so that the load has the other.
 *
 * @module
 */
import { freshConfig } from "../fresh.config.ts";

/** A server on loopback. */
export interface ServerProcess extends AsyncDisposable {
  port: number;
  pid: number;
}

const { root } = freshConfig;
const LINUX = Deno.build.os === "linux" && navigator.hardwareConcurrency > 1;

/**
 * Moves this process and those that it starts from now on to some cores, if the system supports it.
 *
 * @param cores as `taskset` expects them, such as `1` or `0-1`
 */
export async function useCores(cores: string): Promise<void> {
  if (!LINUX) return;
  await new Deno.Command("taskset", { args: ["-a", "-c", "-p", cores, `${Deno.pid}`] }).output();
}

/** Returns the command on the first core. */
export const onFirstCore = (command: readonly string[]): string[] =>
  LINUX ? ["taskset", "-c", "0", ...command] : [...command];

/** Entries of the log are JSON objects. */
const NOT_LOGGED = /^[^{\n].*(?=\n)/m;

/**
 * Starts a command on the first core, with `deno` as this version of Deno, and waits until it has printed a line other
 * than the entries of its log, which it does when it listens.
 *
 * @returns the process and this line
 */
async function startProcess(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<{ line: string } & Omit<ServerProcess, "port">> {
  const [program, ...args] = onFirstCore(
    command.map((part) => part === "deno" ? Deno.execPath() : part),
  );
  const process = new Deno.Command(program, { args, env, cwd: root, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let line: string | undefined;
  while (line === undefined) {
    const { value } = await output.read();
    if (value === undefined) throw new Error(`${command.join(" ")} has stopped.`);
    text += value;
    line = NOT_LOGGED.exec(text)?.[0];
  }
  const read = async () => {
    while (!(await output.read()).done);
  };
  const rest = read();
  const stop = async () => {
    process.kill("SIGTERM");
    await process.status;
    await rest;
  };
  return { line, pid: process.pid, [Symbol.asyncDispose]: stop };
}

/** Starts a script that prints the port it listens on, with the flags of `deno task serve`. */
export async function startScript(script: string, ...args: string[]): Promise<ServerProcess> {
  const { flags } = await serveTask();
  const { line, ...process } = await startProcess(["deno", ...flags, `bench/${script}`, ...args]);
  return { ...process, port: Number(line) };
}

/** Serves the last build on a port as `deno task serve` does. */
export async function startServe(port: number, env: Record<string, string>) {
  const { flags, script } = await serveTask();
  const { line: _, ...process } = await startProcess(["deno", ...flags, ...script], {
    PORT: String(port),
    ...env,
  });
  return { ...process, port };
}

/** Returns the command of `deno task serve`, which is `deno run` with flags, a script and its argument. */
async function serveTask(): Promise<{ flags: string[]; script: string[] }> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const [, ...parts] = tasks.serve.split(" ");
  const at = parts.findIndex((part: string) => part.endsWith(".ts"));
  return { flags: parts.slice(0, at), script: parts.slice(at) };
}

/** Returns the CPU time of a process and all its threads in microseconds; NaN if it is unknown. */
export function cpuTime(pid: number): number {
  if (Deno.build.os !== "linux") return NaN;
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    try {
      const [running] = Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ");
      nanoseconds += Number(running);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // the thread has just ended
    }
  }
  return nanoseconds / 1_000;
}

/** Returns the resident memory of a process in bytes; NaN if it is unknown. */
export function memoryOf(pid: number): number {
  if (Deno.build.os !== "linux") return NaN;
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
