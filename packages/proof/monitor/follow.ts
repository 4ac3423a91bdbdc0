/**
 * Follows a log: each round checks everything that is new.
 *
 * @module
 */
import { encodeHex } from "../../../lib/base/bytes.ts";
import { HOUR_MS } from "../../../lib/base/time.ts";
import { ChainReadError, hashSchema, type KeySet, keySetSchema } from "../chain/mod.ts";
import {
  keySetEntry,
  type Policy,
  type PolicyWitness,
  quorumProblem,
  satisfiesQuorum,
  verifyCheckpoint,
} from "../log/mod.ts";
import { type LogCopy, LogCopyError } from "./copy.ts";
import { LOG_DELAY_MS } from "../verify/mod.ts";
import { type Evidence, type Finding, MonitorError } from "./finding.ts";
import type { Kept } from "./kept.ts";
import { evidenceOf, openTree } from "./kept_tree.ts";
import { checkPublished } from "./published_keys.ts";
import { type CheckedLog, checkRecord, completionOf, type RecordReport } from "./record.ts";
import { checkFile } from "./saved_file.ts";
import { openHistory } from "./times.ts";

/** A monitor's view of a log after a round. */
export interface Round {
  size: number;
  /** The index of the entry which says that everything older is in the log; null before. */
  complete: number | null;
  /** The names of the policy's witnesses that have countersigned the newest checkpoint. */
  countersigned: string[];
  /** The names of the policy's witnesses that said what they have countersigned last. */
  compared: string[];
  findings: Finding[];
  records: RecordReport[];
}

interface FollowOptions {
  source: LogCopy;
  kept: Kept;
  policy: Policy;
  origin: string;
  /** Hashes of records, and paths of saved chains. */
  records?: readonly string[];
  clock: () => number;
  /** Reads the keys that verifiers get from the publisher; null if it does not respond. */
  readPublishedKeys(): Promise<readonly unknown[] | null>;
  /** Reads what a witness has countersigned last; null if it has nothing or does not respond. */
  readWitness(witness: PolicyWitness): Promise<string | null>;
}

/** The longest time without a new checkpoint: the log publishes one every hour. */
const STALE_MS = 3 * HOUR_MS;

/** The file with larger trees that witnesses have countersigned, as the log did not show them yet. */
const AHEAD = "ahead.json";

/** A larger tree than the log has shown, and when a witness was first seen with it, in milliseconds since 1970. */
type Ahead = Record<string, { size: number; at: number; text: string }>;

/**
 * Creates a monitor, which checks everything that is new in each round and keeps a copy of it. A round with a
 * fault keeps what was checked before, so the next one reports it again.
 */
export async function createMonitor(options: FollowOptions) {
  const { source, kept, policy, origin, clock, readWitness, records = [] } = options;
  const [tree, history] = await Promise.all([
    openTree(kept, source),
    openHistory({ kept, policy, origin }),
  ]);
  const log: CheckedLog = { origin, policy, tree, history, readKeys, isRead: false };

  async function* keptKeySets() {
    for (let n = 1;; n++) {
      const bytes = await kept.read(`keys/${n}`);
      if (bytes === null) return;
      yield bytes;
    }
  }

  async function readKeys(): Promise<unknown[]> {
    const sets = await Array.fromAsync(keptKeySets(), parseKeySet);
    return sets.flatMap((set) => set?.keys ?? []);
  }

  /**
   * Reads the log's checkpoint, and what is new in it. Trees are compared first, and the policy decides at the end:
   * a fork is one whether or not the reader's witnesses have countersigned it.
   *
   * @returns the names of the witnesses that have countersigned it
   */
  async function readCheckpoint(): Promise<{ countersigned: string[]; findings: Finding[] }> {
    const bytes = await source.read("checkpoint");
    if (bytes === null) {
      throw new MonitorError("log_unreachable", "The log does not serve a checkpoint.");
    }
    const text = new TextDecoder().decode(bytes);
    const now = new Date(clock()).toISOString();
    const verified = await verifyCheckpoint(text, { ...policy, quorum: null }, origin);
    if (!verified.ok) {
      await history.refuse(text, verified.error, now);
      const known: Evidence = tree.text() === "" ? {} : { "known.checkpoint": tree.text() };
      throw new MonitorError(verified.error, verified.message!, {
        "log.checkpoint": text,
        ...known,
      });
    }
    const { size, cosignatures } = verified.checkpoint;
    let keep: (() => Promise<void>) | null;
    try {
      keep = text === tree.text() ? null : await tree.check(verified.checkpoint, text);
    } catch (error) {
      const fault = error instanceof MonitorError ? error.finding.fault : "log_unreachable";
      await history.refuse(text, fault, now);
      throw error;
    }
    await history.note(text, size, now);
    await keep?.();
    const countersigned = cosignatures.map(({ witness }) => witness.name);
    const isQuorate = satisfiesQuorum(policy, new Set(countersigned));
    const message = quorumProblem(policy);
    return {
      countersigned,
      findings: isQuorate
        ? []
        : [{ fault: "log_quorum", message, evidence: { "log.checkpoint": text } }],
    };
  }

  /** Checks the sets of keys that were logged since the last round. */
  async function checkKeys(): Promise<Finding[]> {
    for (let n = (await Array.fromAsync(keptKeySets())).length + 1;; n++) {
      const bytes = await source.read(`keys/${n}`);
      const { slot, commitment } = keySetEntry(n, bytes ?? new Uint8Array());
      const logged = tree.find(slot);
      if (logged === null) return [];
      const isLogged = encodeHex(logged.commitment) === encodeHex(commitment);
      if (bytes === null || !isLogged || parseKeySet(bytes) === null) {
        const message = `Set ${n} of the keys is not what was logged.`;
        const served: Evidence = bytes === null
          ? {}
          : { "served.json": new TextDecoder().decode(bytes) };
        const evidence = { ...served, ...await tree.entryEvidence(logged.index) };
        return [{ fault: "log_keys", message, evidence }];
      }
      await kept.write(`keys/${n}`, bytes);
    }
  }

  /**
   * Compares what the witnesses have countersigned last with the tree. A witness may be ahead of the log for some
   * time, because the log publishes a checkpoint after it was countersigned.
   */
  async function compareWitnesses(): Promise<{ compared: string[]; findings: Finding[] }> {
    const stored = await kept.read(AHEAD);
    const before: Ahead = stored === null ? {} : JSON.parse(new TextDecoder().decode(stored));
    const after: Ahead = {};
    const compared: string[] = [];
    const findings: Finding[] = [];
    const own = tree.text();
    for (const witness of policy.witnesses) {
      const { name } = witness;
      const text = await readWitness(witness);
      const verified = text === null
        ? null
        : await verifyCheckpoint(text, { ...policy, quorum: null }, origin);
      const seen = verified?.ok ? verified.checkpoint : null;
      if (seen !== null) compared.push(name);
      if (seen !== null && seen.size <= tree.size()) {
        const contradiction = await tree.contradiction(seen, text!);
        if (contradiction !== null) {
          await history.refuse(text!, "log_inconsistent", new Date(clock()).toISOString());
          const message = `${name} has countersigned another tree of ${seen.size} entries.`;
          const evidence = evidenceOf(contradiction);
          findings.push({ fault: "log_inconsistent", message, evidence });
        }
      }
      const known = before[name]?.size > tree.size() ? before[name] : undefined;
      const ahead = known ??
        (seen !== null && seen.size > tree.size()
          ? { size: seen.size, at: clock(), text: text! }
          : undefined);
      if (ahead === undefined) continue;
      after[name] = ahead;
      if (clock() - ahead.at <= LOG_DELAY_MS) continue;
      const message =
        `${name} has countersigned ${ahead.size} entries; the log shows ${tree.size()}.`;
      const evidence = { "log.checkpoint": own, "witness.checkpoint": ahead.text };
      findings.push({ fault: "log_withheld", message, evidence });
    }
    if (stored !== null || Object.keys(after).length > 0) {
      await kept.write(AHEAD, JSON.stringify(after));
    }
    return { compared, findings };
  }

  async function findForks(): Promise<Finding[]> {
    if (tree.forks.length === 0) return [];
    const [[first, second], ...others] = tree.forks;
    const more = others.length === 0 ? "" : ` ${others.length} more entries do so too.`;
    const message = `Entries ${first} and ${second} have one slot and different commitments. ` +
      `This proves misconduct.${more}`;
    const evidence = { ...await tree.entryEvidence(first), ...await tree.entryEvidence(second) };
    return [{ fault: "log_fork", message, evidence }];
  }

  async function findStale(): Promise<Finding[]> {
    const last = await history.lastPublished();
    if (last === null || clock() - last <= STALE_MS) return [];
    const message = `There is no new checkpoint since ${new Date(last).toISOString()}.`;
    return [{ fault: "log_stale", message, evidence: { "log.checkpoint": tree.text() } }];
  }

  return {
    /** Checks the log once. */
    async round(): Promise<Round> {
      const findings: Finding[] = [];
      let countersigned: string[] = [];
      let compared: string[] = [];
      log.isRead = false;
      try {
        const read = await readCheckpoint();
        countersigned = read.countersigned;
        findings.push(...read.findings);
        if (tree.size() > 0) findings.push(...await checkKeys());
        log.isRead = true;
        const published = await options.readPublishedKeys() ?? [];
        findings.push(...await checkPublished(kept, published, await readKeys(), clock()));
      } catch (error) {
        if (error instanceof MonitorError) findings.push(error.finding);
        else if (isUnreachable(error)) {
          findings.push({ fault: "log_unreachable", message: String(error) });
        } else throw error;
      }
      findings.push(...await findForks(), ...await findStale());
      if (tree.size() > 0) {
        const witnesses = await compareWitnesses();
        compared = witnesses.compared;
        findings.push(...witnesses.findings);
      }
      const reports: RecordReport[] = [];
      for (const each of records) {
        reports.push(
          await (hashSchema.safeParse(each).success ? checkRecord : checkFile)(log, each),
        );
      }
      const complete = completionOf(tree);
      return { size: tree.size(), complete, countersigned, compared, findings, records: reports };
    },
  };
}

function parseKeySet(bytes: Uint8Array): KeySet | null {
  try {
    return keySetSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof LogCopyError || error instanceof ChainReadError || error instanceof TypeError ||
  (error instanceof DOMException && error.name === "TimeoutError");
