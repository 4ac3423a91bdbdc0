/**
 * `deno task monitor <trust address> [--into <folder>] [--policy <file>] [--once] [--every <seconds>]
 * [--record <hash or saved chain>]… [--accept-log-key]`: follows the public log of a publisher, checks all of it,
 * and keeps a copy, which `log:recover` accepts. Prints a line of JSON for each round, and one for each record.
 * With `--once`, it exits with 0 only if all is well, 1 after a fault; with 2 on incorrect usage.
 *
 * @module
 */
import { sleep } from "../../base/sleep.ts";
import { parseArgs } from "node:util";
import { encodeHex, utf8 } from "../../base/bytes.ts";
import { SECOND_MS } from "../../base/time.ts";
import {
  EMPTY_POLICY,
  fetchKeys,
  formatVerifierKey,
  KEYS_PATH,
  MAX_NOTE_BYTES,
  parsePolicy,
  type Policy,
  PolicyError,
  sha256Bytes,
} from "../../../packages/proof/mod.ts";
import { sentHash } from "../../features/chain/mod.ts";
import {
  createMonitor,
  type Finding,
  keepEvidence,
  openCopy,
  openKept,
  type Round,
} from "../../../packages/proof/monitor/mod.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { NAME_AND_VERSION } from "./command.ts";

/** How long the publisher's keys may take. */
const KEYS_MS = 30 * SECOND_MS;
/** How long a witness may take. */
const WITNESS_MS = 10 * SECOND_MS;

const fetch = createLocalFetch();
const { address, values } = readArguments();
const { host } = new URL(address);
const origin = `${host}/log`;
const folder = values.into ?? `log-${host.replace(":", "-")}`;
const source = openCopy(`${address}/log`, fetch);
const kept = openKept(folder);
const policy = await readPolicy().catch((error) => {
  const reason = error instanceof PolicyError ? error.message : String(error);
  return refuse(`Cannot read the policy: ${reason}`);
});
const originHash = encodeHex(sha256Bytes(utf8(origin)));
const monitor = await createMonitor({
  source,
  kept,
  policy,
  origin,
  records: values.record,
  clock: Date.now,
  readPublishedKeys: () => {
    const signal = AbortSignal.timeout(KEYS_MS);
    return fetchKeys(`${address}${KEYS_PATH}`, { fetch, signal }).catch(() => null);
  },
  async readWitness({ url }) {
    if (url === null) return null;
    const path = `${url.replace(/\/+$/, "")}/monitor/${originHash}/checkpoint`;
    try {
      const response = await fetch(path, { signal: AbortSignal.timeout(WITNESS_MS) });
      const text = await response.text();
      return response.ok && text.length <= MAX_NOTE_BYTES ? text : null;
    } catch {
      return null;
    }
  },
});

/** The sizes of each record that were printed before. */
const printed = new Map<string, number>();

let isWell = true;
do {
  const round = await monitor.round();
  isWell = [round, ...round.records].every(({ findings }) => findings.length === 0);
  await report(round);
  if (values.once) break;
  await sleep(Number(values.every) * SECOND_MS);
} while (true);
Deno.exit(isWell ? 0 : 1);

function readArguments() {
  try {
    const { positionals: [address, ...rest], values } = parseArgs({
      allowPositionals: true,
      options: {
        into: { type: "string" },
        policy: { type: "string" },
        once: { type: "boolean", default: false },
        every: { type: "string", default: "60" },
        record: { type: "string", multiple: true, default: [] },
        "accept-log-key": { type: "boolean", default: false },
        version: { type: "boolean", default: false },
      },
    });
    if (values.version) {
      console.log(NAME_AND_VERSION);
      Deno.exit(0);
    }
    const isAddress = /^https?:\/\/[^/]+\/?$/.test(address ?? "");
    if (isAddress && rest.length === 0 && /^[1-9]\d{0,5}$/.test(values.every)) {
      const record = values.record.map((given) => {
        const hash = sentHash.safeParse(given).data;
        if (hash !== undefined || isFile(given)) return hash ?? given;
        return refuse(`${given} is neither the hash of a record nor a file.`);
      });
      return { address: address.replace(/\/$/, ""), values: { ...values, record } };
    }
  } catch { /* prints the usage */ }
  return refuse(
    "Usage: deno task monitor <trust address> [--into <folder>] [--policy <file>] [--once]\n" +
      "  [--every <seconds>] [--record <hash or saved chain>]… [--accept-log-key]",
  );
}

/**
 * Returns the policy of the file, or the one that was kept. Without either, the log's key is taken from the log
 * and pinned, and no witness counts.
 */
async function readPolicy(): Promise<Policy> {
  if (values.policy !== undefined) return parsePolicy(await Deno.readTextFile(values.policy));
  const pinned = await kept.read("policy");
  if (pinned !== null && !values["accept-log-key"]) {
    return parsePolicy(new TextDecoder().decode(pinned));
  }
  const suggested = await source.read("policy");
  const { logs } = parsePolicy(new TextDecoder().decode(suggested ?? new Uint8Array()));
  const keys = logs.filter(({ key }) => key.name === origin);
  if (keys.length === 0) refuse(`${address} does not say what the key of its log is.`);
  const lines = keys.map(({ key }) => `log ${formatVerifierKey(key)}\n`).join("");
  await kept.write("policy", `${lines}quorum none\n`);
  for (const { key } of keys) {
    console.error(`The key ${key.id} of ${origin} is remembered. It came from the log itself.`);
  }
  return { ...EMPTY_POLICY, logs: keys };
}

/** Prints what a round has found, and keeps it. */
async function report({ findings, records, ...round }: Round): Promise<void> {
  const at = new Date().toISOString();
  const shown = { at, origin, ...round, findings: await keepAll(findings, at) };
  console.log(JSON.stringify(shown));
  const shownRecords = [];
  for (const { findings, entries, ...record } of records) {
    const name = record.file ?? record.record;
    const shown = { at, ...record, findings: await keepAll(findings, at, name) };
    shownRecords.push({ ...shown, entries });
    // A chain may have thousands of sizes, of which only the new ones are printed again.
    const last = printed.get(name) ?? 0;
    console.log(JSON.stringify({ ...shown, entries: entries.filter(({ size }) => size > last) }));
    printed.set(name, record.events);
  }
  await kept.write("state.json", `${JSON.stringify({ ...shown, records: shownRecords })}\n`);
}

function keepAll(findings: readonly Finding[], at: string, record?: string) {
  return Promise.all(findings.map(async (finding) => {
    const { fault, message } = finding;
    const evidence = await keepEvidence(kept, finding, { origin, record, at });
    return { fault, message, ...evidence === null ? {} : { evidence } };
  }));
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function refuse(message: string): never {
  console.error(message);
  Deno.exit(2);
}
