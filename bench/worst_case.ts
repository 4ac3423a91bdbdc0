/**
 * Measures the CPU time that the server's process spends on the worst requests for every endpoint:
 * bodies, queries and headers that are built to cost as much as possible. Anyone can send them, and a
 * request has already cost something when a rate limit rejects it, so each must be cheap.
 *
 * @module
 */
import { startBankSandbox } from "../sandbox/bank.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { type HostileRequest, hostileRequests } from "./worst_case_requests.ts";
import type { Served } from "./worst_case_server.ts";

export interface WorstCaseRow {
  name: string;
  /** The status of the last response. */
  status: number;
  /** CPU time of all threads in milliseconds, the median of several requests. */
  cpu_ms: number;
}

const TARGET_MS = 50;
const ROUNDS = 5;
const SHOWN = 12;

/**
 * Runs the benchmark and prints the results. Linux only, because it reads CPU time from `/proc`.
 *
 * @param pick matches the names of the requests to send
 */
export async function run(pick: RegExp = /(?:)/): Promise<WorstCaseRow[]> {
  await using bank = startBankSandbox();
  await using origin = startOriginSandbox();
  const env = {
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
    RELAYS: JSON.stringify([sandboxRelay(origin)]),
    // A limit would reject requests before they reach the code that is measured.
    MCP_RATE_LIMIT: "0",
    SIGN_IN_CLIENT_LIMIT: "0",
    CONTACT_CLIENT_LIMIT: "0",
    TRUST_PROXY: "1",
    // Enables the callbacks; nothing is sent.
    CODE_PROVIDER: "twilio",
    TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
    TWILIO_AUTH_TOKEN: "token",
    TWILIO_FROM: "+15005550006",
    // The maximum number, because each secret is tried.
    COMMERCIAL_PAYMENT_WEBHOOK_SECRET: [1, 2, 3, 4, 5].map((i) => `whsec_${i}`.padEnd(34, "0"))
      .join(),
  };
  const { process, served } = await start(env);
  try {
    const requests = (await hostileRequests(served)).filter(({ name }) => pick.test(name));
    const rows: WorstCaseRow[] = [];
    for (const request of requests) rows.push(await measure(process.pid, served.port, request));
    rows.sort((a, b) => b.cpu_ms - a.cpu_ms);
    const missed = rows.filter(({ cpu_ms }) => cpu_ms > TARGET_MS);
    console.log(
      `CPU time of ${rows.length} hostile requests, ms (the median of ${ROUNDS} each), the worst first`,
    );
    for (const { name, status, cpu_ms } of rows.slice(0, Math.max(SHOWN, missed.length))) {
      console.log(`  ${cpu_ms.toFixed(1).padStart(7)}  ${status}  ${name}`);
    }
    console.log(`  above ${TARGET_MS} ms: ${missed.length} (target: none)`);
    return rows;
  } finally {
    process.kill();
    await process.status;
  }
}

async function start(env: Record<string, string>) {
  const script = new URL("./worst_case_server.ts", import.meta.url).href;
  const args = ["run", "-A", "--frozen", script, JSON.stringify(env)];
  const process = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
  const output = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await output.read();
  output.releaseLock();
  return { process, served: JSON.parse(value) as Served };
}

async function measure(
  pid: number,
  port: number,
  request: HostileRequest,
): Promise<WorstCaseRow> {
  const { name } = request;
  const times: number[] = [];
  let status = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuTime(pid);
    status = await send(port, request, performance.now());
    times.push(cpuTime(pid) - before);
  }
  times.sort((a, b) => a - b);
  return { name, status, cpu_ms: times[Math.floor(ROUNDS / 2)] };
}

/** Returns the CPU time of all threads of a process. `stat` would have a resolution of only 10 ms. */
function cpuTime(pid: number): number {
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    try {
      const [onCpu] = Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ");
      nanoseconds += Number(onCpu);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error; // the thread has just ended
    }
  }
  return nanoseconds / 1e6;
}

/** Sends the exact bytes of a request, which `fetch` would change, and reads the whole response. */
async function send(
  port: number,
  { method, host, path, headers = {}, body }: HostileRequest,
  n: number,
): Promise<number> {
  const bytes = new TextEncoder().encode(body?.replace("{n}", String(n)) ?? "");
  const lines = Object.entries({
    host: `${host}:8000`,
    connection: "close",
    ...body !== undefined && { "content-length": String(bytes.length) },
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = new TextEncoder().encode(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  let first = "";
  const response = (async () => {
    const buffer = new Uint8Array(64 * 1024);
    for (let size; (size = await connection.read(buffer)) !== null;) {
      if (first === "") first = new TextDecoder().decode(buffer.subarray(0, Math.min(size, 20)));
    }
  })();
  try {
    for (const part of [head, bytes]) {
      for (let sent = 0; sent < part.length;) sent += await connection.write(part.subarray(sent));
    }
  } catch {
    // The server responded and closed the connection before it had read everything.
  }
  await response.catch(() => {});
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
}

if (import.meta.main) await run(Deno.args[0] === undefined ? undefined : new RegExp(Deno.args[0]));
