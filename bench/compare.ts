/** Measures several servers in turns and compares them: rates, CPU time and response times, as rows of a table. */
import { type BenchRequest, Client, requestBytes } from "./client.ts";
import { load, type LoadOptions } from "./load.ts";
import { cpuTime, type ServerProcess, startScript } from "./processes.ts";
import { atLeast, integer, withRatio } from "./table.ts";

/** A server and the requests to send to it in turn. */
export interface Target {
  port: number;
  pid: number;
  requests: readonly BenchRequest[];
}

export interface Rounds {
  /** Requests per second. */
  rates: number[];
  /** The server's CPU time per request in microseconds. */
  cpu: number[];
  /** Median response times in milliseconds. */
  p50: number[];
}

/**
 * Measures targets in turns, in many short rounds: other work on the machine then slows all of them. The
 * order changes from round to round.
 */
export async function compare<Name extends string>(
  targets: Record<Name, Target>,
  { rounds, ...options }: LoadOptions & { rounds: number },
): Promise<Record<Name, Rounds>> {
  const names = Object.keys(targets) as Name[];
  const results = {} as Record<Name, Rounds>;
  for (const name of names) results[name] = { rates: [], cpu: [], p50: [] };
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { port, pid, requests } = targets[name];
      const before = cpuTime(pid);
      const { rate, p50, sent } = await load(port, requests, options);
      results[name].cpu.push((cpuTime(pid) - before) / sent);
      results[name].rates.push(rate);
      results[name].p50.push(p50);
    }
  }
  return results;
}

/** Starts a server of `baseline.ts` that gives the responses that a site gives now. */
export async function startBaseline(
  kind: "bytes" | "mcp" | "route",
  { port, requests }: Target,
): Promise<ServerProcess & Target> {
  const server = await startScript("baseline.ts", kind);
  using site = await Client.connect(port);
  using baseline = await Client.connect(server.port);
  for (const request of requests) {
    const { headers, body } = await site.read(requestBytes(request));
    const stored = kind === "mcp"
      ? JSON.stringify(JSON.parse(new TextDecoder().decode(body)).result)
      : body;
    const sent = { ...request, method: "POST", headers, body: stored };
    await baseline.send(requestBytes(sent));
  }
  return { ...server, requests };
}

/** The columns of {@linkcode comparedRow}. */
export const COMPARED = [
  "request",
  "per second",
  "CPU",
  "compared with",
  "ratio (by CPU)",
  "target",
];

/**
 * Returns a row of a table: the best rate, because other work can only make a round slower, the median
 * CPU time, and the medians of the ratios of the rounds. The smaller ratio has to reach the target: the
 * rates of a fast baseline may be those of the load generator. The ratio by CPU is compared with the stored one.
 */
export function comparedRow(
  title: string,
  one: Rounds,
  [other, rounds]: [title: string, rounds: Rounds],
  target?: number,
) {
  const ratio = ratioOf(one.rates, rounds.rates);
  const ofCpu = ratioOf(rounds.cpu, one.cpu);
  const described = ({ rates, cpu }: Rounds) => [
    integer(Math.max(...rates)),
    `${median(cpu).toFixed(1)} µs`,
  ];
  return withRatio([
    title,
    ...described(one),
    `${other}: ${described(rounds).join(", ")}`,
    `${ratio.toFixed(2)} (${ofCpu.toFixed(2)})`,
    target === undefined
      ? ""
      : atLeast(target, Number.isNaN(ofCpu) ? ratio : Math.min(ratio, ofCpu)),
  ], { name: `${title}, compared with ${other}`, value: ofCpu });
}

/** Returns the median of the ratios of the values of each round. */
export const ratioOf = (values: number[], others: number[]): number =>
  median(values.map((value, round) => value / others[round]));

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1];
