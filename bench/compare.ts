/**
 * Compares servers under load in one run: each is a separate process on one core, the load generator
 * runs on another, and the servers take turns in many short rounds.
 *
 * @module
 */
import { load, type LoadOptions, pinned } from "./load.ts";

export interface Compared {
  /** The best round, because other load on the machine can only slow it down. */
  requests_per_second: number;
  /** The server's CPU time per request in microseconds, the median of the rounds. */
  cpu_us: number;
  rates: number[];
}

/**
 * Starts the servers of a script and measures them. The script gets the name of a server and the other
 * arguments, and prints the port that it listens on.
 *
 * @example
 * ```ts
 * const { bare, app } = await compare(["bare", "app"], import.meta.resolve("./servers.ts"), { path: "/" });
 * ```
 */
export async function compare<Name extends string>(
  names: readonly Name[],
  script: string,
  options: Omit<LoadOptions, "port">,
  { rounds = 9, seconds = 0.5, args = [] as string[] } = {},
): Promise<Record<Name, Compared>> {
  const servers: (Awaited<ReturnType<typeof start>> & { rates: number[]; cpu: number[] })[] = [];
  try {
    for (const name of names) {
      servers.push({ ...await start(script, [name, ...args]), rates: [], cpu: [] });
    }
    for (let round = 0; round < rounds; round++) {
      for (const { port, process, rates, cpu } of servers) {
        const before = cpuTime(process.pid);
        const { requests_per_second } = await load({ ...options, port, seconds });
        rates.push(requests_per_second);
        // The load begins with a warm-up of a fifth of the time.
        cpu.push((cpuTime(process.pid) - before) / (requests_per_second * seconds * 1.2));
      }
    }
  } finally {
    for (const { process } of servers) process.kill();
    await Promise.all(servers.map(({ process }) => process.status));
  }
  return Object.fromEntries(servers.map(({ rates, cpu }, i) => [names[i], {
    requests_per_second: Math.max(...rates),
    cpu_us: median(cpu),
    rates,
  }])) as Record<Name, Compared>;
}

/** Returns the median of the rounds' ratios of two rates. */
export const ratioOf = (one: Compared, other: Compared): number =>
  median(one.rates.map((rate, round) => rate / other.rates[round]));

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1];

async function start(script: string, args: string[]) {
  const [program, ...rest] = pinned(0, [
    Deno.execPath(),
    "run",
    "-A",
    "--frozen",
    script,
    ...args,
  ]);
  const process = new Deno.Command(program, { args: rest, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await output.read();
  await output.cancel();
  return { process, port: Number(value) };
}

/** Returns the CPU time of a process and all its threads in microseconds; NaN if it is unknown. */
export function cpuTime(pid: number): number {
  if (Deno.build.os !== "linux") return NaN;
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    const [running] = Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ");
    nanoseconds += Number(running);
  }
  return nanoseconds / 1000;
}
