/**
 * Measures `POST /api/auth/otp/verify` compared with the comparison of the code alone, and compares
 * the response times of known and unknown numbers and email addresses. The store is a file.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import type { CodeMessage, CodeProvider } from "../lib/features/codes/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { newRow, recordKey } from "../lib/features/records/mod.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { createSite, serve, type Site } from "../tests/site.ts";
import { startClient } from "./timing_client.ts";

/** Attempts for known and for unknown numbers or addresses. */
const ATTEMPTS = 1_000;
const VERIFICATIONS = 500;
const COMPARISONS = 20_000;

export interface VerifyResult {
  per_second: number;
  /** CPU time of one verification and of one comparison, in milliseconds. */
  cpu_ms: { verify: number; comparison: number };
}

export interface TimingResult {
  what: string;
  known_ms: Quantiles;
  unknown_ms: Quantiles;
  /**
   * The probability that a known one takes longer than an unknown one (0.5 if they do not differ), and
   * the range of this value by chance in 95 of 100 runs.
   */
  longer: number;
  by_chance: [number, number];
  met: boolean;
}

interface Quantiles {
  p50: number;
  p95: number;
}

/** Runs both benchmarks and prints the results. */
export async function run(): Promise<[VerifyResult, TimingResult[]]> {
  const folder = await Deno.makeTempDir();
  const provider = collector();
  try {
    const kv = await openKv(join(folder, "codes.kv"));
    const env = { SIGN_IN_CLIENT_LIMIT: "0", CODE_DAILY_BUDGET: "100000" };
    await using site = await createSite(env, { kv, codeProvider: provider });
    await fill(site, ATTEMPTS + VERIFICATIONS);
    const verify = await measureVerify(site, provider);
    const timing = [
      await measureTiming(site, "number", "/api/auth/otp/send", (n) => ({
        method: "sms",
        purpose: "sign_in",
        mobile: numberOf(n),
      })),
      await measureTiming(site, "address", "/my-record/sign-in", (n) => ({ email: emailOf(n) })),
    ];
    return [verify, timing];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A provider that accepts everything. */
function collector(): CodeProvider & { last: CodeMessage | undefined } {
  return {
    name: "http",
    last: undefined,
    send(message) {
      this.last = message;
      return Promise.resolve({ ok: true, id: "1", status: "queued" });
    },
  };
}

/** Different numbers, spread over prefixes so that no limit is reached. */
const numberOf = (n: number) =>
  `+61${n % 4 < 2 ? "491" : "492"}${String(n % 997).padStart(3, "0")}${
    String(n % 1_000).padStart(3, "0")
  }`;

const emailOf = (n: number) => `person-${n}@example.org`;

/** Stores records with a confirmed address and number: those with an even n, from 0. */
async function fill(site: Site, count: number): Promise<void> {
  const { kv, contactIndex } = site.services;
  const at = new Date().toISOString();
  for (let i = 0; i < count; i++) {
    const n = 2 * i;
    const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
    const record = { name: "Ada", email: emailOf(n), mobile: numberOf(n), enquiry_type: "Other" };
    const contact = { record, salt: hash, registered_at: at, confirmed_at: at, confirmation: hash };
    const commit = kv.atomic()
      .set(["contacts", hash], contact)
      .set(recordKey(hash), { ...newRow(contact as never), mobile_confirmed_at: at });
    await contactIndex.add(commit, "email", emailOf(n), hash);
    await contactIndex.add(commit, "mobile", numberOf(n), hash);
    await commit.commit();
  }
}

async function measureVerify(
  site: Site,
  provider: ReturnType<typeof collector>,
): Promise<VerifyResult> {
  const { codes, mailer } = site.services;
  const requests: { cookie: string; code: string }[] = [];
  for (let i = 0; i < VERIFICATIONS; i++) {
    const to = { purpose: "sign_in", number: numberOf(2 * (ATTEMPTS + i)) } as const;
    const browserId = String(i).padStart(22, "A");
    const responded = Promise.resolve();
    await codes.send({ channel: "sms", to, browserId, clientAddress: "192.0.2.1", responded });
    await codes.flush();
    requests.push({
      cookie: `record_browser=${browserId}`,
      code: /#(\d{6})$/.exec(provider.last!.text)![1],
    });
  }
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (const { cookie, code } of requests) {
    const response = await site.request("trust", "/api/auth/otp/verify", {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify({ code, purpose: "sign_in" }),
    });
    if (!(await response.json()).success) throw new Error("A code was refused.");
  }
  const perSecond = VERIFICATIONS / (performance.now() - start) * 1000;
  const verify = msOf(process.cpuUsage(cpu)) / VERIFICATIONS;
  await mailer.flush();

  const secrets = createSecrets({ kv: site.services.kv, given: [new Uint8Array(32)] });
  const text = JSON.stringify(["code", "sign_in", numberOf(0), "747723"]);
  const signature = await secrets.sign("code", text);
  const before = process.cpuUsage();
  for (let i = 0; i < COMPARISONS; i++) await secrets.verify("code", text, signature);
  const comparison = msOf(process.cpuUsage(before)) / COMPARISONS;
  console.log("Codes that sign in, through the app, one after another");
  console.log(`  per second                ${Math.round(perSecond)}`);
  console.log(`  CPU per verification      ${verify.toFixed(2)} ms`);
  const ratio = Math.round(verify / comparison);
  console.log(`  CPU of the comparison     ${comparison.toFixed(4)} ms, ${ratio} times less`);
  return { per_second: perSecond, cpu_ms: { verify, comparison } };
}

const msOf = ({ user, system }: { user: number; system: number }) => (user + system) / 1000;

/**
 * Sends requests over one connection, known and unknown in random order, each for the first time. The
 * next one is sent when everything that follows the response is done.
 */
async function measureTiming(
  site: Site,
  what: string,
  path: string,
  bodyOf: (n: number) => unknown,
): Promise<TimingResult> {
  const { codes, mailer, surfaces } = site.services;
  await using server = serve(site.handler);
  const client = await startClient(server.port, new URL(surfaces.url("trust")!).host);
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  const order = shuffled(Array.from({ length: 2 * ATTEMPTS }, (_, n) => n));
  for (const n of order) {
    const took = await client.post(path, JSON.stringify(bodyOf(n)));
    times[n % 2 === 0 ? "known" : "unknown"].push(took);
    await codes.flush();
    await mailer.flush();
  }
  client.close();
  const longer = probability(times.known, times.unknown);
  // The normal approximation of the rank-sum test.
  const deviation = 1.96 * Math.sqrt((2 * ATTEMPTS + 1) / (12 * ATTEMPTS * ATTEMPTS));
  const byChance: [number, number] = [0.5 - deviation, 0.5 + deviation];
  const met = longer >= byChance[0] && longer <= byChance[1];
  const [known, unknown] = [quantiles(times.known), quantiles(times.unknown)];
  const show = ({ p50, p95 }: Quantiles) => `${p50.toFixed(2)} (95%: ${p95.toFixed(2)})`;
  console.log(`Response time for a known and an unknown ${what}, ${ATTEMPTS} each, ms`);
  console.log(`  known                     ${show(known)}`);
  console.log(`  unknown                   ${show(unknown)}`);
  console.log(
    `  P(known takes longer)     ${longer.toFixed(3)}, by chance ${
      byChance.map((value) => value.toFixed(3)).join(" to ")
    }: ${met ? "met" : "missed"}`,
  );
  return { what, known_ms: known, unknown_ms: unknown, longer, by_chance: byChance, met };
}

function shuffled(values: number[]): number[] {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [values[i], values[j]] = [values[j], values[i]];
  }
  return values;
}

/** Returns the share of pairs in which the first value is greater; equal values count half. */
function probability(first: number[], second: number[]): number {
  let count = 0;
  for (const a of first) for (const b of second) count += a > b ? 1 : a === b ? 0.5 : 0;
  return count / (first.length * second.length);
}

function quantiles(times: number[]): Quantiles {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1], p95: sorted[Math.floor(sorted.length * 0.95)] };
}

if (import.meta.main) await run();
