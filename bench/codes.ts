/**
 * Compares the response times for known and unknown numbers and addresses, which must not differ: the
 * difference would reveal who is known. Requests are sent over one connection, known and unknown in
 * random order, each for the first time.
 *
 * @module
 */
import type { Services } from "../lib/app/services.ts";
import { newRow, recordRows } from "../lib/features/records/mod.ts";
import { Client, requestBytes } from "./client.ts";
import { median } from "./compare.ts";
import { type ServedSite, serveSite } from "./site.ts";
import type { Table } from "./table.ts";

/** Requests for known and for unknown people. */
const ATTEMPTS = 500;
/** Longer than the work that follows a response. */
const PAUSE_MS = 25;
const JSON_BODY = { "content-type": "application/json" };

/** Different numbers, spread over prefixes so that no limit is reached. */
const numberOf = (n: number) =>
  `+61${n % 4 < 2 ? "491" : "492"}${String(n % 997).padStart(3, "0")}${
    String(n % 1_000).padStart(3, "0")
  }`;

const emailOf = (n: number) => `person-${n}@example.org`;

const KINDS: [title: string, path: string, bodyOf: (n: number) => unknown][] = [
  [
    "mobile number",
    "/api/auth/otp/send",
    (n) => ({ method: "sms", purpose: "sign_in", mobile: numberOf(n) }),
  ],
  ["email address", "/my-record/sign-in", (n) => ({ email: emailOf(n) })],
];

export async function run(): Promise<Table[]> {
  await using site = await serveSite();
  await fill(site.services);
  const rows: string[][] = [];
  for (const kind of KINDS) rows.push(await measure(site, kind));
  const columns = ["kind", "known", "unknown", "P(known takes longer)", "by chance", "target"];
  return [{
    title: `\`codes\`: median response times, ${ATTEMPTS} people each`,
    columns,
    rows,
  }];
}

/** Stores records with a confirmed address and number, for even numbers. */
async function fill({ kv, contactIndex }: Services): Promise<void> {
  const at = new Date().toISOString();
  for (let n = 0; n < 2 * ATTEMPTS; n += 2) {
    const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
    const record = { name: "Ada", email: emailOf(n), mobile: numberOf(n), enquiry_type: "Other" };
    const contact = { record, salt: hash, registered_at: at, confirmed_at: at, confirmation: hash };
    const commit = kv.atomic()
      .set(["contacts", hash], contact)
      .set(recordRows.key(hash), { ...newRow(contact as never), mobile_confirmed_at: at });
    await contactIndex.add(commit, "email", emailOf(n), hash);
    await contactIndex.add(commit, "mobile", numberOf(n), hash);
    await commit.commit();
  }
}

async function measure(
  site: ServedSite,
  [title, path, bodyOf]: typeof KINDS[number],
): Promise<string[]> {
  const { host } = new URL(site.services.surfaces.url("trust")!);
  using client = await Client.connect(site.port);
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (const n of shuffled(Array.from({ length: 2 * ATTEMPTS }, (_, n) => n))) {
    const body = JSON.stringify(bodyOf(n));
    const request = requestBytes({ host, path, method: "POST", headers: JSON_BODY, body });
    const start = performance.now();
    await client.send(request);
    times[n % 2 === 0 ? "known" : "unknown"].push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const longer = probability(times.known, times.unknown);
  // The normal approximation of the rank-sum test: the range in 95 of 100 runs.
  const deviation = 1.96 * Math.sqrt((2 * ATTEMPTS + 1) / (12 * ATTEMPTS * ATTEMPTS));
  const [low, high] = [0.5 - deviation, 0.5 + deviation];
  return [
    title,
    `${median(times.known).toFixed(2)} ms`,
    `${median(times.unknown).toFixed(2)} ms`,
    longer.toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    `by chance: ${longer >= low && longer <= high ? "met" : "missed"}`,
  ];
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
