/**
 * Measures the CPU time that the site's process spends on the worst requests for every endpoint: bodies,
 * queries and headers that are built to cost as much as possible. Anyone can send them, and a request
 * has already cost something when a rate limit rejects it, so each must be cheap. Linux only, because
 * it reads CPU time from `/proc`.
 *
 * @module
 */
import type { Services } from "../lib/app/services.ts";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import type { StoredContact } from "../lib/features/contact/mod.ts";
import { createTestLog, type TestLog } from "../lib/features/witness/testing/test_log.ts";
import { startBankSandbox } from "../sandbox/bank.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { requestBytes, statusOf } from "./client.ts";
import { median } from "./compare.ts";
import { cpuTime } from "./processes.ts";
import { type ServedSite, serveSite } from "./site.ts";
import { atMost, type Table } from "./table.ts";
import { type HostileRequest, hostileRequests } from "./worst_case_requests.ts";

const TARGET_MS = 50;
const TIMES = 5;
const SHOWN = 12;
/** The number of events that `verify_chain` reads. */
const CHAIN_LENGTH = 500;
const RECORD = "7".repeat(64);

const ENV = {
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

export async function run(): Promise<Table[]> {
  // In this process, so that their CPU time is not counted.
  await using bank = startBankSandbox();
  await using origin = startOriginSandbox();
  const log = await createTestLog();
  log.append("a", "b", "c");
  await using site = await serveSite({
    ...ENV,
    BANK_API_BASE: bank.baseUrl,
    FOUNDATION_BANK_API_TOKEN: bank.tokens.foundation,
    COMMERCIAL_BANK_API_TOKEN: bank.tokens.commercial,
    RELAYS: JSON.stringify([sandboxRelay(origin)]),
    WITNESS_LOGS: `log ${log.vkey}`,
  });
  const cookie = await fill(site.services, log);
  const requests = await hostileRequests({ cookie, record: RECORD, log });
  const rows: { name: string; status: number; ms: number }[] = [];
  for (const request of requests) rows.push(await measure(site, request));
  rows.sort((a, b) => b.ms - a.ms);
  const missed = rows.filter(({ ms }) => ms > TARGET_MS).length;
  return [{
    title: `\`worst-case\`: the worst of ${rows.length} hostile requests, medians of ${TIMES}; ` +
      `${missed} above the target`,
    columns: ["request", "status", "CPU", "target"],
    rows: rows.slice(0, Math.max(SHOWN, missed))
      .map(({ name, status, ms }) => [
        name.replaceAll("|", "\\|"),
        String(status),
        `${ms.toFixed(1)} ms`,
        atMost(TARGET_MS, ms),
      ]),
  }];
}

/**
 * Stores a record with a long chain, and has a log countersigned. Returns the cookie of a full administrator.
 */
async function fill({ auth, chains, kv, witness }: Services, log: TestLog): Promise<string> {
  await (await witness.open()).add(await log.request(0), "");
  await writeChain(kv, { hash: RECORD, publisher: chains.publisher, length: CHAIN_LENGTH });
  // The console shows only records with a contact.
  const contact: Pick<StoredContact, "record" | "organisation" | "registered_at"> = {
    record: { name: "Ada", email: "ada@example.org", enquiry_type: "Other" },
    organisation: "commercial",
    registered_at: new Date().toISOString(),
  };
  await kv.set(["contacts", RECORD], { ...contact, confirmed_at: null });
  const surface = "commercial-console";
  const { token } = await auth.issueLink({ email: "admin@example.org", surface });
  return `app_session=${(await auth.verify(token, surface))!.sessionId}`;
}

async function measure({ port, pid }: ServedSite, request: HostileRequest) {
  const times: number[] = [];
  let status = 0;
  for (let i = 0; i < TIMES; i++) {
    const before = cpuTime(pid);
    status = await send(port, request, performance.now());
    times.push((cpuTime(pid) - before) / 1_000);
  }
  return { name: request.name, status, ms: median(times) };
}

/** Sends a request on a connection of its own, reads the whole response and returns its status. */
async function send(
  port: number,
  { host, headers, body, ...request }: HostileRequest,
  n: number,
): Promise<number> {
  const bytes = requestBytes({
    ...request,
    host: `${host}:8000`,
    headers: { connection: "close", ...headers },
    body: body?.replace("{n}", String(n)),
  });
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  let status = 0;
  const response = (async () => {
    const buffer = new Uint8Array(64 * 1024);
    while (await connection.read(buffer) !== null) if (status === 0) status = statusOf(buffer);
  })();
  try {
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  } catch {
    // The server responded and closed the connection before it had read everything.
  }
  await response.catch(() => {});
  return status;
}
