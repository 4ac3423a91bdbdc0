/** The benchmark `kv-proxy`: how much a proxy in front of a KV server slows down commits. */
import { openKv } from "../lib/platform/kv/mod.ts";
import { findDenokv, serveDenokv } from "../lib/platform/kv/testing/denokv_server.ts";
import { withToken } from "../tests/network_stores.ts";
import { isInstalled, KV_PROXY, startProxy } from "../tests/proxies.ts";
import { useCores } from "./processes.ts";
import { integer, type Table } from "./table.ts";

const COMMITS = 100;
const SIZES = [200, 4_096, 40_960];

/** Commits values to a KV server directly, and through the proxy in docs/ops, one after the other. */
export async function run(): Promise<Table[]> {
  const rows = await rowsOf();
  return [{
    title: "`kv-proxy`: the median time of a commit on `denokv`, one at a time",
    columns: ["value", "directly", "behind nginx"],
    rows,
  }];
}

async function rowsOf(): Promise<string[][]> {
  const binary = findDenokv();
  if (binary === null || !await isInstalled(KV_PROXY.command)) {
    const missing = binary === null ? "denokv" : KV_PROXY.command;
    return [[`${missing} is not installed`, "", ""]];
  }
  await useCores("0-1");
  const folder = await Deno.makeTempDir();
  try {
    await using server = await serveDenokv({ binary, folder });
    await using proxy = await startProxy(KV_PROXY, [Number(new URL(server.url).port)]);
    const urls = [server.url, `http://127.0.0.1:${proxy.port}/`];
    const times: number[][] = [];
    for (const url of urls) {
      using kv = await withToken(server.token, () => openKv(url));
      times.push(await timesOf(kv));
    }
    const ms = (time: number) => `${time.toFixed(1)} ms`;
    return SIZES.map((size, i) => [`${integer(size)} bytes`, ...times.map((each) => ms(each[i]))]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the median time of a commit of each size, in milliseconds. */
async function timesOf(kv: Deno.Kv): Promise<number[]> {
  const medians: number[] = [];
  for (const size of SIZES) {
    const times: number[] = [];
    for (let i = 0; i < COMMITS; i++) {
      const began = performance.now();
      await kv.set(["value", i], new Uint8Array(size));
      times.push(performance.now() - began);
    }
    medians.push(times.sort((a, b) => a - b)[COMMITS / 2]);
  }
  return medians;
}
