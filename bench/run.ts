/**
 * `deno task bench [name …]`: runs the named benchmarks, or all of them, and prints their tables as they
 * are written in README.md. Options:
 *
 * - `--rounds=9`: how often compared servers take turns
 * - `--full`: `year` fills in a whole year instead of a twentieth
 * - `--stores=<folder>`: `year` keeps its stores there, and uses those that are there
 * - `--reads=<pattern>`: `year` and `signed-in` measure only the reads whose names match a regular expression
 * - `--store`: writes the ratios by CPU time into `ratios.json`
 *
 * Without `--store`, it exits with 1 if a ratio by CPU time is missing, or below half of the stored one.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { run as batches } from "./batches.ts";
import { run as capacity } from "./capacity.ts";
import { run as certificates } from "./certificates.ts";
import { run as chain } from "./chain.ts";
import { run as codes } from "./codes.ts";
import { run as kvProxy } from "./kv_proxy.ts";
import { run as lighthouse } from "./lighthouse.ts";
import { run as logFiles } from "./log_files.ts";
import { run as logSequence } from "./log_sequence.ts";
import { run as mcp } from "./mcp.ts";
import { run as network } from "./network.ts";
import { run as pages } from "./pages.ts";
import { useCores } from "./processes.ts";
import { faultsOf, type Ratios, ratiosOf } from "./ratios.ts";
import { run as relay } from "./relay.ts";
import { run as restarts } from "./restarts.ts";
import { run as signedIn } from "./signed_in.ts";
import { run as start } from "./start.ts";
import { run as streams } from "./streams.ts";
import { formatTable, type Table } from "./table.ts";
import { run as worstCase } from "./worst_case.ts";
import { run as year } from "./year.ts";

interface BenchOptions {
  rounds: number;
  full: boolean;
  stores?: string;
  reads?: string;
}

const BENCHMARKS: Record<string, (options: BenchOptions) => Promise<Table[]>> = {
  mcp,
  chain,
  pages,
  "signed-in": signedIn,
  relay,
  start,
  restarts,
  codes,
  network,
  "kv-proxy": kvProxy,
  streams,
  log: logSequence,
  certificates,
  batches,
  capacity,
  "log-files": logFiles,
  "worst-case": worstCase,
  year,
  lighthouse,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "9" },
    full: { type: "boolean", default: false },
    stores: { type: "string" },
    reads: { type: "string" },
    store: { type: "boolean", default: false },
  },
});
const known = Object.keys(BENCHMARKS);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
  Deno.exit(2);
}
const loadAverage = () => `load average ${Deno.loadavg()[0].toFixed(1)}`;
await useCores("1"); // servers run on core 0
console.log(
  `Measured on ${new Date().toISOString().slice(0, 10)} with Deno ${Deno.version.deno} and ` +
    `${navigator.hardwareConcurrency} cores, ${loadAverage()}.\n`,
);
const STORED = new URL("ratios.json", import.meta.url);
const stored: Ratios = JSON.parse(await Deno.readTextFile(STORED));
const measured: Ratios = {};
for (const name of positionals.length > 0 ? positionals : known) {
  const tables = await BENCHMARKS[name]({ ...values, rounds: Number(values.rounds) });
  measured[name] = ratiosOf(tables);
  for (const { title, ...table } of tables) {
    console.log(formatTable({ ...table, title: `${title} (${loadAverage()})` }));
  }
}
if (values.store) {
  const all = Object.entries({ ...stored, ...measured })
    .filter(([, ratios]) => Object.keys(ratios).length > 0);
  await Deno.writeTextFile(STORED, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
} else {
  const faults = faultsOf(measured, stored);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) Deno.exitCode = 1;
}
