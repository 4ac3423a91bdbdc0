/**
 * Checks a saved chain against the log that a monitor has checked.
 *
 * @module
 */
import { type Bytes, encodeHex } from "../../../lib/base/bytes.ts";
import {
  formatSavedChain,
  hashSchema,
  type LinkedEvent,
  MAX_FILE_BYTES,
  parseSavedChain,
  type SavedChain,
  verifyChain,
} from "../chain/mod.ts";
import {
  entryBytes,
  eventEntry,
  isEqual,
  parseCheckpoint,
  parseProof,
  SALT_BYTES,
} from "../log/mod.ts";
import {
  chainStatements,
  checkLog,
  type Countersignature,
  createMemory,
  LOG_DELAY_MS,
} from "../verify/mod.ts";
import type { Evidence, Finding, MonitorFault } from "./finding.ts";
import { evidenceOf } from "./kept_tree.ts";
import {
  type CheckedLog,
  completionOf,
  lookUp,
  missingSizes,
  openingNotes,
  type RecordEntry,
  type RecordReport,
  sizes,
} from "./record.ts";

/** Checks a saved chain, and every size of it, against the log. Nothing is sent to anybody. */
export async function checkFile(log: CheckedLog, path: string): Promise<RecordReport> {
  const file = await readSaved(path);
  if ("fault" in file) {
    return { record: "", file: path, events: 0, entries: [], notes: [], findings: [file] };
  }
  const { gaps, ...found } = await lookUp(log, file.chain.hash);
  const report: RecordReport = { ...found, file: path, notes: openingNotes(log), findings: [] };
  await createFileCheck(log, file, report, gaps)();
  return report;
}

interface SavedFile {
  chain: SavedChain;
  /** When it was saved, at the latest. */
  modified: number;
}

async function readSaved(path: string): Promise<SavedFile | Finding> {
  try {
    const { size, mtime } = await Deno.stat(path);
    if (size > MAX_FILE_BYTES) return { fault: "bad_input", message: `${path} is too large.` };
    const parsed = parseSavedChain(await Deno.readTextFile(path));
    if (!parsed.ok) return { fault: parsed.code, message: `${path}: ${parsed.message}.` };
    const { chain } = parsed;
    return hashSchema.safeParse(chain.hash).success
      ? { chain, modified: mtime?.getTime() ?? Infinity }
      : { fault: "bad_input", message: `${path} does not have the hash of a record.` };
  } catch (error) {
    return { fault: "bad_input", message: `${path} cannot be read: ${error}` };
  }
}

function createFileCheck(
  log: CheckedLog,
  { chain, modified }: SavedFile,
  report: RecordReport,
  gaps: readonly number[],
) {
  const { tree, history, origin } = log;
  const { hash: record, log_proof: proofText } = chain;
  /** The chain for others to check, without the record's content. */
  const shared = { ...chain, record: undefined, salt: undefined };
  const file = { "chain.json": formatSavedChain(shared) };
  const shown = Date.parse(history.shown() ?? "");
  const add = (fault: MonitorFault, message: string, evidence: Evidence = {}) =>
    report.findings.push({ fault, message, evidence: { ...file, ...evidence } });
  /** Returns whether the log should have shown by now what existed at a time that the publisher states. */
  const isDue = (at: string) => shown - Math.min(Date.parse(at), modified) > LOG_DELAY_MS;
  const completed = completionOf(tree);

  async function check(): Promise<void> {
    const verified = await verify();
    if (verified === null) return;
    const { signedSize, size, head, isLogged } = verified;
    report.saved = signedSize;
    if (size > signedSize) {
      report.notes.push(`The last ${size - signedSize} events of the file are not signed.`);
    }
    if (history.shown() === null) return;
    const events = (chain.events as LinkedEvent[]).slice(0, signedSize);
    const proof = await checkProof(events);
    // Anybody could have signed it, so it says nothing about the publisher.
    if (!isLogged) return;
    await checkSizes(events, proof);
    await checkLater(signedSize, head.at);
  }

  /** Verifies the file's own chain, preferably with the logged keys. Returns null if it does not verify. */
  async function verify() {
    const evidence = {
      recordHash: record,
      events: chain.events,
      head: chain.head,
      publisher: origin.replace(/\/log$/, ""),
    };
    const logged = await verifyChain({ ...evidence, keys: await log.readKeys() });
    if (logged.ok) return { ...logged, isLogged: true };
    const own = logged.code === "unknown_key"
      ? await verifyChain({ ...evidence, keys: chain.keys })
      : logged;
    if (!own.ok) {
      add(own.code, `The saved chain does not verify: ${own.message}.`);
      return null;
    }
    const message = `The chain is signed by a key that is not in the log: ${own.head.kid}.`;
    if (isDue(own.head.at)) add("log_unknown", message);
    else if (history.shown() !== null) report.notes.push(message);
    return { ...own, isLogged: false };
  }

  const entryOf = (size: number, salt: Bytes) => {
    const { hash: tip } = chain.events[size - 1] as LinkedEvent;
    return eventEntry({ record, size, tip, salt });
  };

  /** Checks the file's proof, and compares its checkpoint with the tree. */
  async function checkProof(events: readonly LinkedEvent[]): Promise<FileProof> {
    const nothing = { salt: null, opens: false, size: 0, countersigned: null };
    if (proofText === undefined) {
      // Also a rewritten chain has the sizes that the log has.
      const message = "The file has no log_proof, so its entries cannot be opened. Save it again.";
      if (completed !== null && isDue(events[0].at)) add("log_missing", message);
      else report.notes.push(message);
      return nothing;
    }
    const { place, countersigned, fault } = await checkLog({
      origin,
      statements: chainStatements(record, events),
      proof: proofText,
      trust: { policy: { ...log.policy, quorum: null }, memory: createMemory() },
      asOf: shown,
      now: shown,
    });
    const proof = parseProof(String(proofText));
    const salt = proof?.extra?.length === SALT_BYTES ? proof.extra : null;
    // The presence of each size in the log is checked below.
    if (fault !== null && fault.code !== "log_missing") {
      add(fault.code, `log_proof: ${fault.message}`);
    }
    if (place === null) return { ...nothing, salt };
    const { checkpoint: text } = proof!;
    const { size } = place;
    if (size > tree.size()) {
      const message = `The file has a checkpoint of ${size} entries; the log shows ${tree.size()}.`;
      const evidence = { "file.checkpoint": text, "log.checkpoint": tree.text() };
      if (shown - modified > LOG_DELAY_MS) add("log_withheld", message, evidence);
      else report.notes.push(message);
      return { salt, opens: true, size: 0, countersigned };
    }
    const contradiction = await tree.contradiction(parseCheckpoint(text)!, text);
    if (contradiction === null) return { salt, opens: true, size, countersigned };
    const by = countersigned === null ? "" : `, countersigned by ${countersigned.name},`;
    const message =
      `The file has a signed checkpoint of ${size} entries${by} that the log does not extend. ` +
      "This proves misconduct.";
    add("log_inconsistent", message, evidenceOf(contradiction));
    return { salt, opens: true, size: 0, countersigned };
  }

  async function checkSizes(events: readonly LinkedEvent[], proof: FileProof): Promise<void> {
    const { salt } = proof;
    const missing: number[] = [];
    const pending: number[] = [];
    const forked: RecordEntry[] = [];
    const late: RecordEntry[] = [];
    const entries = new Map(report.entries.map((entry) => [entry.size, entry]));
    let opened = 0;
    for (const [i, { at }] of events.entries()) {
      const size = i + 1;
      const entry = entries.get(size);
      if (entry === undefined) {
        const isMissing = gaps.includes(size) || (completed !== null && isDue(at));
        (isMissing ? missing : pending).push(size);
        continue;
      }
      if (salt !== null) {
        const { slot, commitment } = entryOf(size, salt);
        if (!isEqual(tree.find(slot)!.commitment, commitment)) {
          forked.push(entry);
          continue;
        }
        opened++;
      }
      if (isLate(at, entry, proof)) late.push(entry);
    }
    report.opened = salt === null ? null : opened;
    missing.push(...gaps.filter((size) => size > events.length));
    if (missing.length > 0) {
      const { fault, message, evidence } = missingSizes(log, missing);
      add(fault, message, evidence);
    }
    if (pending.length > 0) {
      const why = completed !== null ? "" : "; it does not say yet that older records are complete";
      report.notes.push(`The log does not have ${sizes(pending)} yet${why}.`);
    }
    if (forked.length > 0) {
      // Nobody has signed that the salt in the file is the right one.
      const proves = opened > 0 || proof.opens
        ? "This proves misconduct"
        : "No other entry opens, so it may also be that the file's log_salt is wrong";
      const list = sizes(forked.map(({ size }) => size));
      const evidence = await tree.entryEvidence(forked[0].index, salt!);
      const expected = encodeHex(entryBytes(entryOf(forked[0].size, salt!)));
      const message = `The log has another chain than the file: ${list}. ${proves}.`;
      add("log_fork", message, { ...evidence, "expected.hex": `${expected}\n` });
    }
    if (late.length > 0) {
      const [first] = late;
      const list = sizes(late.map(({ size }) => size));
      const { at } = events[first.size - 1];
      const message =
        `The log got ${list} too late. The event of size ${first.size} states ${at}, and the log ` +
        `still did not show it at ${first.absent}.`;
      add("log_late", message, {
        "before.checkpoint": history.checkpointBefore(first.index)!,
        ...await tree.entryEvidence(first.index, salt ?? undefined),
      });
    }
  }

  /**
   * Returns whether the log was seen without an entry more than ten minutes after its event, and no independent
   * witness contradicts that. A monitor that began later, or did not look in between, does not know.
   */
  function isLate(at: string, entry: RecordEntry, proof: FileProof): boolean {
    if (completed === null || entry.index < completed || entry.absent === null) return false;
    const limit = Date.parse(at) + LOG_DELAY_MS;
    if (Date.parse(entry.absent) <= limit) return false;
    const signed = [entry.countersigned, entry.index < proof.size ? proof.countersigned : null];
    return signed.every((each) => each === null || each.own || Date.parse(each.at) > limit);
  }

  /** Reports that the log has more events than the file. */
  async function checkLater(signedSize: number, signedAt: string): Promise<void> {
    const later = report.entries.filter(({ size }) => size > signedSize);
    if (later.length === 0) return;
    const [{ size, index, seen, countersigned }] = later;
    const published = countersigned?.own === false ? countersigned.at : seen;
    report.notes.push(
      `The file is not the newest chain: it has ${signedSize} events, and the log has ${report.events}.`,
    );
    // A head is signed with its event. One that was signed long after the next event hides it.
    if (Date.parse(signedAt) - Date.parse(published) <= LOG_DELAY_MS) return;
    const message =
      `The head of ${signedSize} events was signed at ${signedAt}, but the log has had ` +
      `size ${size} since ${published}.`;
    add("truncated", message, await tree.entryEvidence(index));
  }

  return check;
}

interface FileProof {
  /** Null if the file has none. */
  salt: Bytes | null;
  /** True if it opens an entry of the file in a signed tree. */
  opens: boolean;
  /** The size of the tree that has an entry of the file, if the log extends it; otherwise 0. */
  size: number;
  countersigned: Countersignature | null;
}
