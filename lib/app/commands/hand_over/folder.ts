/** Writes the folder with which others can verify what the site published (`docs/ops/hand_over.md`). */
import { dirname, join } from "node:path";
import { type Bytes, utf8 } from "../../../base/bytes.ts";
import { formatSavedChain, parsePolicy } from "../../../../packages/proof/mod.ts";
import { createMonitor, type Finding, openKept } from "../../../../packages/proof/monitor/mod.ts";
import {
  type AboutFolder,
  chainPath,
  checkScript,
  documentPath,
  offlinePage,
} from "../../../../packages/proof/offline/mod.ts";
import {
  CONTENT_TYPES,
  readRelease,
  VERIFIER_FILE,
  VERSION,
} from "../../../../packages/proof/release/mod.ts";
import { chainEvents, heads, readKeySet, readWithdrawnKeys } from "../../../features/chain/mod.ts";
import { documentRows, readPublicStatements } from "../../../features/documents/mod.ts";
import { publishedAt, readStatus } from "../../../features/log/mod.ts";
import { PDF_FILE, standardMarkdown } from "../../../features/standard/mod.ts";
import type { Services } from "../../services.ts";

interface Written {
  about: AboutFolder;
  /** The entries of the log. */
  size: number;
  /** True if the log lacks entries of something in the folder. */
  pending: boolean;
  /** The faults of the log. */
  findings: Finding[];
}

/**
 * Writes the folder that is handed over.
 *
 * @returns null if the log has published nothing yet
 */
export async function writeFolder(services: Services, folder: string): Promise<Written | null> {
  const { kv, publicLog } = services;
  if (await publishedAt(kv) === null) return null;
  const records = await writeChains(services, folder);
  const documents = await writeStatements(services, folder);
  // Afterwards, so that its log has every proof.
  const { asOf, size, findings } = await writeLog(services, join(folder, "log"));
  const as_of = new Date(asOf).toISOString();
  const about: AboutFolder = { publisher: services.chains.publisher, as_of, records, ...documents };
  const [{ keys }, withdrawn] = await Promise.all([readKeySet(kv), readWithdrawnKeys(kv)]);
  await writeJson(join(folder, "keys.json"), { keys, withdrawn });
  await writeStandard(services, folder);
  for (const name of Object.keys(CONTENT_TYPES)) {
    await write(join(folder, name), (await readRelease(VERSION, name))!);
  }
  await write(join(folder, "check.js"), await checkScript());
  const verifier = (await readRelease(VERSION, VERIFIER_FILE))!;
  await write(join(folder, "index.html"), await offlinePage(verifier));
  await writeJson(join(folder, "about.json"), about);
  const { waitingSince } = await readStatus(kv, publicLog);
  return { about, size, pending: waitingSince !== null, findings };
}

/** Writes each chain as a saved one. Returns how many there are. */
async function writeChains({ kv, chains, logProofs }: Services, folder: string): Promise<number> {
  const { keys } = await readKeySet(kv);
  let count = 0;
  for await (const { key, value: head } of heads.list(kv, [])) {
    const hash = String(key.at(-1));
    const rows = await Array.fromAsync(chainEvents.list(kv, [hash]), ({ value }) => value);
    const events = rows.filter(({ seq }) => seq < head.size); // others came after the head
    const log_proof = await (await logProofs.ofChain(hash, head.size))?.read();
    const saved = { hash, publisher: chains.publisher, head, keys, log_proof, events };
    await write(join(folder, chainPath(hash)), formatSavedChain(saved));
    count++;
  }
  return count;
}

/** Writes what everybody may know about each file. Several documents can have the same one. */
async function writeStatements(services: Services, folder: string) {
  const { kv, records } = services;
  const count = { documents: 0, left_out: 0 };
  for await (const { value: document } of documentRows.list(kv, [])) {
    const { record, guessable, test } = document;
    if (test || (record !== null && (await records.read(record))?.row.deletion_at !== undefined)) {
      continue;
    }
    if (guessable) count.left_out++;
    else count.documents++;
    for (const [sha256, statement] of await readPublicStatements(services, document)) {
      const path = join(folder, documentPath(sha256));
      const { matches } = await readJson(path) ?? { matches: [] };
      await writeJson(path, { matches: [...matches, statement] });
    }
  }
  return count;
}

/** Copies the log as a monitor does, which checks all of it. */
async function writeLog({ kv, publicLog, logFiles }: Services, folder: string) {
  const policy = await logFiles.policy();
  const others = await logFiles.checkpoints();
  const asOf = (await publishedAt(kv))!;
  const kept = openKept(folder);
  const monitor = await createMonitor({
    kept,
    policy: parsePolicy(policy),
    origin: publicLog.origin,
    source: {
      async read(path) {
        if (path === "checkpoint") return textBytes(await logFiles.checkpoint());
        if (path.startsWith("keys/")) return await logFiles.keySet(path.slice("keys/".length));
        return await logFiles.tile(path);
      },
    },
    // The site may have stopped long ago. That is not a fault.
    clock: () => asOf,
    readPublishedKeys: async () => (await readKeySet(kv)).keys,
    readWitness: () => Promise.resolve(null),
  });
  const round = await monitor.round();
  await kept.write("policy", policy);
  await kept.write("checkpoints", JSON.stringify(others));
  const previous = await logFiles.previous();
  if (previous !== null) await kept.write("previous", previous);
  return { asOf, ...round };
}

/** Writes the standard in all versions, and the printed one. */
async function writeStandard({ standard, surfaces, chains }: Services, folder: string) {
  const url = surfaces.url("foundation") ?? `https://${chains.publisher}`;
  for (const version of new Set(standard.changes.map((change) => change.version))) {
    const text = standard.inVersion(version);
    if (text !== undefined) {
      await write(join(folder, `standard/${version}.md`), standardMarkdown(text, url));
    }
  }
  await write(join(folder, "standard/standard.pdf"), await Deno.readFile(PDF_FILE));
}

const textBytes = (text: string | null): Bytes | null => text === null ? null : utf8(text);

async function write(path: string, content: Bytes | string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
}

const writeJson = (path: string, value: unknown): Promise<void> =>
  write(path, `${JSON.stringify(value, null, 2)}\n`);

async function readJson(path: string) {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
