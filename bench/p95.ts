/**
 * Compares two running sites by the 95th percentile of a request's time, such as builds with and without
 * a cache on copies of one store: `deno run -A bench/p95.ts <url with> <url without> [--cookie=…]`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { Client, requestBytes } from "./client.ts";
import { median } from "./compare.ts";

const ROUNDS = 7;
const REQUESTS = 200;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { cookie: { type: "string" } },
});
if (positionals.length !== 2) {
  console.error("Usage: deno run -A bench/p95.ts <url with> <url without> [--cookie=…]");
  Deno.exit(2);
}
const sites = await Promise.all(positionals.map(async (url) => {
  const { host, port, pathname, search } = new URL(url);
  const headers = values.cookie === undefined ? undefined : { cookie: values.cookie };
  const request = requestBytes({ host, path: pathname + search, headers });
  return { client: await Client.connect(Number(port)), request };
}));

/** Sends single requests to both sites in turn, and returns the sorted times of each. */
async function round(): Promise<number[][]> {
  const times: number[][] = [[], []];
  for (let sent = 0; sent < REQUESTS; sent++) {
    for (const [index, { client, request }] of sites.entries()) {
      const start = performance.now();
      await client.send(request);
      times[index].push(performance.now() - start);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b));
}

await round(); // warms up
const medians: number[][] = [[], []];
const p95: number[][] = [[], []];
for (let index = 0; index < ROUNDS; index++) {
  for (const [site, times] of (await round()).entries()) {
    medians[site].push(median(times));
    p95[site].push(times[Math.floor(0.95 * REQUESTS)]);
  }
}
const pair = (each: number[][]) => each.map((own) => median(own).toFixed(2)).join(", ");
const added = median(p95[1].map((without, index) => without - p95[0][index]));
console.log(`medians ${pair(medians)} ms; 95th percentiles ${pair(p95)} ms`);
console.log(`without it: ${added.toFixed(1)} ms (load average ${Deno.loadavg()[0].toFixed(1)})`);
for (const { client } of sites) client[Symbol.dispose]();
