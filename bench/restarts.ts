/** The benchmark `restarts`: whether requests fail while the processes behind nginx or Caddy are restarted. */
import { isInstalled, PROXIES, startProxy } from "../tests/proxies.ts";
import { startCluster } from "../tests/processes/cluster.ts";
import { TEST_CA } from "../lib/platform/mail/testing/smtp_server.ts";
import { useCores } from "./processes.ts";
import { atMost, integer, type Table } from "./table.ts";

const CLIENTS = 8;
/** At least this many requests are sent, however quick the restarts are. */
const REQUESTS = 2_000;
const PATHS = ["/", "/terms", "/privacy", "/verify", "/levels"];

/** Sends GET requests through a proxy while three processes are restarted in turn, and counts failures. */
export async function run(): Promise<Table[]> {
  await useCores("0-1"); // the cluster starts its processes itself
  const rows: string[][] = [];
  for (const [name, proxy] of Object.entries(PROXIES)) {
    if (!await isInstalled(proxy.command)) {
      rows.push([name, "not installed", "", ""]);
      continue;
    }
    await using cluster = await startCluster({
      SURFACE_HOSTS: JSON.stringify({ trust: ["localhost"] }),
    });
    await using front = await startProxy(proxy, cluster.ports);
    using client = Deno.createHttpClient({ caCerts: [TEST_CA], http2: false });
    const headers = { accept: "text/html" }; // without it, some paths lead to an operation of the API
    const init: RequestInit & { client: Deno.HttpClient } = { client, headers };
    let restarting = true;
    let sent = 0;
    let slowest = 0;
    const failures: string[] = [];
    const load = async () => {
      while (restarting || sent < REQUESTS) {
        const path = PATHS[sent++ % PATHS.length];
        const begun = performance.now();
        try {
          const response = await fetch(`https://localhost:${front.port}${path}`, init);
          await response.bytes();
          if (response.status !== 200) failures.push(`${path}: ${response.status}`);
        } catch (error) {
          failures.push(`${path}: ${error} ${(error as Error).cause ?? ""}`);
        }
        slowest = Math.max(slowest, performance.now() - begun);
      }
    };
    const clients = Array.from({ length: CLIENTS }, load);
    const times: number[] = [];
    for (const index of cluster.ports.keys()) times.push(await cluster.restart(index, "SIGTERM"));
    restarting = false;
    await Promise.all(clients);
    for (const failure of failures.slice(0, 10)) console.error(`${name}: ${failure}`);
    rows.push([
      name,
      `${integer(sent)} (${atMost(0, failures.length)}, ${failures.length} failed)`,
      `${integer(slowest)} ms`,
      times.map((ms) => `${integer(ms)} ms`).join(", "),
    ]);
  }
  return [{
    title: "`restarts`: GET requests during three restarts in turn behind a proxy",
    columns: ["proxy", "requests", "slowest", "from SIGTERM to exit"],
    rows,
  }];
}
