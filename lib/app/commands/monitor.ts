/**
 * `deno task monitor <trust address> [--into <folder>] [--policy <file>] [--once] [--every <seconds>]
 * [--record <hash>] [--accept-log-key]`: follows the public log of a publisher, checks all of it, and keeps a
 * copy, which `log:recover` accepts. Prints a line of JSON for each round. Exits with 0 only if all is well, 1
 * after a fault, 2 on incorrect usage.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { encodeHex, utf8 } from "../../base/bytes.ts";
import { SECOND_MS } from "../../base/time.ts";
import {
  EMPTY_POLICY,
  eventSlot,
  formatVerifierKey,
  parsePolicy,
  type Policy,
  PolicyError,
  sha256Bytes,
} from "../../features/log/core.ts";
import { openCopy } from "../../features/log/mod.ts";
import { createMonitor, openKept, type Round } from "../../features/log/monitor/mod.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";

/** How long a witness may take. */
const WITNESS_MS = 10 * SECOND_MS;
/** The longest response of a witness that is read. */
const MAX_CHECKPOINT = 16 * 1024;

const fetch = createLocalFetch();
const { address, values } = readArguments();
const { host } = new URL(address);
const origin = `${host}/log`;
const folder = values.into ?? `log-${host.replace(":", "-")}`;
const source = openCopy(`${address}/log`);
const kept = openKept(folder);
const policy = await readPolicy().catch((error) => {
  const reason = error instanceof PolicyError ? error.message : String(error);
  return refuse(`Cannot read the policy: ${reason}`);
});
const originHash = encodeHex(sha256Bytes(utf8(origin)));
const monitor = createMonitor({
  source,
  kept,
  policy,
  origin,
  clock: Date.now,
  async readWitness({ url }) {
    if (url === null) return null;
    const path = `${url.replace(/\/+$/, "")}/monitor/${originHash}/checkpoint`;
    try {
      const response = await fetch(path, { signal: AbortSignal.timeout(WITNESS_MS) });
      const text = await response.text();
      return response.ok && text.length <= MAX_CHECKPOINT ? text : null;
    } catch {
      return null;
    }
  },
});

let isWell = true;
do {
  const round = await monitor.round();
  isWell = round.findings.length === 0;
  await report(round);
  if (values.once) break;
  await new Promise((resolve) => setTimeout(resolve, Number(values.every) * SECOND_MS));
} while (true);
if (values.record !== undefined) await reportRecord(values.record);
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
        record: { type: "string" },
        "accept-log-key": { type: "boolean", default: false },
      },
    });
    const isAddress = /^https?:\/\/[^/]+\/?$/.test(address ?? "");
    const isRecord = values.record === undefined || /^[0-9a-f]{64}$/.test(values.record);
    if (isAddress && rest.length === 0 && isRecord && /^[1-9]\d{0,5}$/.test(values.every)) {
      // A record is looked up in what is there now.
      const once = values.once || values.record !== undefined;
      return { address: address.replace(/\/$/, ""), values: { ...values, once } };
    }
  } catch { /* prints the usage */ }
  return refuse(
    "Usage: deno task monitor <trust address> [--into <folder>] [--policy <file>] [--once]\n" +
      "  [--every <seconds>] [--record <hash>] [--accept-log-key]",
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

async function report({ findings, ...round }: Round): Promise<void> {
  const at = new Date().toISOString();
  const files = [];
  for (const { fault, evidence } of findings) {
    if (evidence === undefined) continue;
    const path = `evidence/${at.replaceAll(":", "-")}-${fault}.txt`;
    await kept.write(path, evidence.join("\n"));
    files.push(join(folder, path));
  }
  const shown = {
    at,
    origin,
    ...round,
    findings: findings.map(({ fault, message }) => ({ fault, message })),
    ...files.length === 0 ? {} : { evidence: files },
  };
  console.log(JSON.stringify(shown));
  await kept.write("state.json", `${JSON.stringify(shown)}\n`);
}

/** Prints where the sizes of a record's chain are in the log. Nothing is sent to anybody. */
async function reportRecord(record: string): Promise<void> {
  const seen = await kept.seen();
  for (let size = 1;; size++) {
    const index = monitor.indexOf(eventSlot(record, size));
    if (index === null) {
      console.log(JSON.stringify({ record, events: size - 1 }));
      return;
    }
    const first = seen.find((checkpoint) => checkpoint.size > index)?.seen ?? null;
    console.log(JSON.stringify({ record, size, index, seen: first }));
  }
}

function refuse(message: string): never {
  console.error(message);
  Deno.exit(2);
}
