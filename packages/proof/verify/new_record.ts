/**
 * Watches whether a new record gets into the log in time.
 *
 * @module
 */
import { chainStatements } from "./statements.ts";
import { checkLog } from "./check_log.ts";
import { createMemory } from "./memory.ts";
import { parsePolicy } from "../log/mod.ts";
import { type LogSentence, logSentence } from "./sentence.ts";
import { type LinkedEvent, readJson, type ReadOptions, verifyEvents } from "../chain/mod.ts";

/** The addresses of a record, as its registration returns them. */
export interface RecordAddresses {
  hash: string;
  /** The chain, such as `https://api.example/api/chain/<record hash>`. */
  chain_url: string;
  /** The page that verifies it, on the publisher's host. */
  verify_url: string;
}

/** The most events that are checked: a page of the chain. */
const MOST_EVENTS = 100;

/**
 * When the log is asked, in milliseconds. An event is normally in it within 10 seconds, and must be after 10
 * minutes, so that the last result warns of what is missing.
 */
const CHECKS_AT = [15_000, 60_000, 180_000, 660_000];

/**
 * Says in one sentence whether a new record is in the public log, for whoever has just registered it: after 15
 * seconds, then after 1, 3 and 11 minutes until it is. Requests go to the chain's host only, so the keys and
 * the witnesses are those that the publisher suggests. Others should use `verifyRecord`.
 *
 * @param onSentence called with each result. Files that cannot be read are tried again the next time
 * @param later calls a function after some milliseconds, and returns how to cancel that
 * @returns a function that stops it
 */
export function watchNewRecord(
  record: RecordAddresses,
  onSentence: (sentence: LogSentence) => void,
  { later = afterTimeout, ...options }: ReadOptions & { later?: typeof afterTimeout } = {},
): () => void {
  const cancels = CHECKS_AT.map((ms, i) =>
    later(() => {
      describeNewRecord(record, options).then((found) => {
        if (found === null) return;
        if (found.isComplete) stop(i + 1);
        const { tone, text } = found.sentence;
        const isWarning = tone === "warning" || tone === "bad";
        onSentence({ tone, text: isWarning ? `Warning: ${text}` : text });
      }).catch(() => {}); // the next time, perhaps
    }, ms)
  );
  const stop = (from: number) => cancels.slice(from).forEach((cancel) => cancel());
  return () => stop(0);
}

function afterTimeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * Returns the sentence, and whether all of the record is in the log; null if the events are not those of the
 * record, or are more than a page.
 */
async function describeNewRecord(
  { hash, chain_url, verify_url }: RecordAddresses,
  options: ReadOptions = {},
): Promise<{ sentence: LogSentence; isComplete: boolean } | null> {
  const [page, log] = await Promise.all([
    readJson(`${chain_url}?limit=${MOST_EVENTS}`, options),
    readJson(`${chain_url}/log?limit=1`, options),
  ]);
  const { events, log_proof: proof } = Object(page);
  if (!(await verifyEvents(hash, events)).ok) return null;
  const now = Date.now();
  const finding = await checkLog({
    origin: `${new URL(verify_url).host}/log`,
    statements: chainStatements(hash, events as LinkedEvent[]),
    proof,
    trust: { policy: parsePolicy(String(Object(log).policy)), memory: createMemory() },
    asOf: now,
    now,
  });
  const isComplete = finding.logged === events.length && finding.fault === null;
  return { sentence: logSentence(finding), isComplete };
}
