/** The rules for how often a network, number or record may request codes, and the counters behind them. */
import { z } from "zod";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineLimit, defineTable, expires, EXPIRING, isoAfter } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { CodeNumber } from "./numbers.ts";
import type { Channel } from "./provider.ts";

/**
 * The subjects by which requests are counted. Requests to sign in count by client and number, whether or
 * not the number is known. The messages that such requests cause count by prefix. A holder who confirms a
 * number has counters of their own: requests of strangers neither use them up nor show in them.
 */
export type Subject =
  | "client"
  | "number"
  | "message_prefix"
  | "holder_number"
  | "holder_prefix"
  | "holder_record";

/** The subjects of a request to sign in, in the order in which the limits are checked. */
export const SIGN_IN = ["client", "number"] as const;
/** The subjects of a request to confirm a number. */
export const CONFIRMATION = ["client", "holder_number", "holder_prefix", "holder_record"] as const;

/** At most `limit` requests in any period of `windowMs`, over all channels or on one. */
interface Rule {
  limit: number;
  windowMs: number;
  channel?: Channel;
  /** Counts different numbers instead of requests. */
  numbers?: true;
}

const NUMBER_RULES: readonly Rule[] = [
  { limit: 1, windowMs: MINUTE_MS },
  { limit: 5, windowMs: HOUR_MS },
  { limit: 10, windowMs: DAY_MS },
  { limit: 2, windowMs: HOUR_MS, channel: "voice" },
  { limit: 4, windowMs: DAY_MS, channel: "voice" },
];

/** Calls cost more than messages, so they have lower limits in addition. */
const RULES: Readonly<Record<Subject, readonly Rule[]>> = {
  client: [
    { limit: 10, windowMs: HOUR_MS },
    { limit: 5, windowMs: HOUR_MS, channel: "voice" },
  ],
  number: NUMBER_RULES,
  message_prefix: [
    { limit: 20, windowMs: DAY_MS },
    { limit: 5, windowMs: DAY_MS, channel: "voice" },
  ],
  holder_number: NUMBER_RULES,
  holder_prefix: [
    { limit: 10, windowMs: DAY_MS },
    { limit: 5, windowMs: DAY_MS, channel: "voice" },
  ],
  // Anyone can register, and correct a record to name one premium number after the other.
  holder_record: [{ limit: 3, windowMs: DAY_MS, numbers: true }],
};

/** A request or message, with an HMAC of the number where the rules need it. */
const call = z.tuple([z.number(), z.enum(["sms", "voice"]), z.string().optional()]);
type Call = z.infer<typeof call>;

const callLog = z.strictObject({ calls: z.array(call), ...EXPIRING });

export const codeLimits = defineTable({
  prefix: "code_limits",
  value: callLog,
  key: ["subject", "tag"],
  owner: "nobody",
  lifetime: expires("1 hour or 1 day"),
  per: "network, number, prefix or record that is limited",
  privacy: {
    section: "codes",
    label: "Limits",
    text: "The times of your requests: with a hash of your network address for an hour, and " +
      "with keyed hashes of the number, of its first digits and, if you confirm a number, of your " +
      "record for a day.",
  },
});

/** Attempts per hour from one client, over all codes, so that new codes give no new attempts. */
export const codeAttempts = defineLimit({
  name: "code_attempts",
  limit: 30,
  windowMs: HOUR_MS,
  per: "network that enters codes",
  privacy: { section: "codes", label: "Limits" },
});

/** The requests of one subject at one moment. */
export interface Counted {
  /** The row that a request changes. */
  entry: Deno.KvEntryMaybe<unknown>;
  /** Milliseconds until the subject may request another code; 0 if it may now. */
  waitMs: number;
  /** Counts a request in a commit, which fails if another one has been counted since the read. */
  take(commit: Deno.AtomicOperation): void;
  /** Removes a counted request in a commit: the one of that time, or else the last one. */
  release(commit: Deno.AtomicOperation, time?: number): void;
}

/** The subjects of a request. */
interface Request {
  number: CodeNumber;
  channel: Channel;
  clientAddress: string;
  /** The identifier of a holder's record, which a correction keeps. */
  record?: string;
}

/**
 * Returns the keys of each subject's counter, one for each secret, the current one first. They contain neither an
 * address nor a number.
 */
export async function subjectKeys(
  secrets: Secrets,
  subjects: readonly Subject[],
  { number: { e164, prefix }, clientAddress, record = "" }: Request,
): Promise<Deno.KvKey[][]> {
  const signed = (...parts: string[]) => secrets.signatures("code", JSON.stringify(parts));
  const hashesOf: Record<Subject, () => string[] | Promise<string[]>> = {
    client: () => [sha256(addressKey(clientAddress))],
    number: () => signed("number", e164),
    message_prefix: () => signed("prefix", prefix),
    holder_number: () => signed("number", e164),
    holder_prefix: () => signed("prefix", prefix),
    holder_record: () => signed("record", record),
  };
  return await Promise.all(
    subjects.map(async (subject) =>
      (await hashesOf[subject]()).map((hash) => codeLimits.key(subject, hash))
    ),
  );
}

/** Returns the keyed hashes that represent a number in a counter of different numbers, one for each secret. */
export const numberTags = (secrets: Secrets, { e164 }: CodeNumber): Promise<string[]> =>
  secrets.signatures("code", JSON.stringify(["tag", e164]));

/**
 * Interprets the entries of a subject's counter, one for each secret. Only the current secret's is changed.
 *
 * @param tags see {@link numberTags}
 */
export function countedOf(
  [entry, ...earlier]: readonly Deno.KvEntryMaybe<unknown>[],
  subject: Subject,
  { channel, tags, now }: { channel: Channel; tags: readonly string[]; now: number },
): Counted {
  const rules = RULES[subject];
  const longest = Math.max(...rules.map(({ windowMs }) => windowMs));
  // Times more than a window ahead were stored before the clock was set back.
  const callsIn = ({ value }: Deno.KvEntryMaybe<unknown>) =>
    ((value as z.infer<typeof callLog> | null)?.calls ?? [])
      .filter(([time]) => Math.abs(now - time) < longest);
  const calls = callsIn(entry);
  const all = [...earlier.flatMap(callsIn), ...calls]
    .map(([time, channel, tag]): Call => [time, channel, tags.includes(tag!) ? tags[0] : tag])
    .sort(([a], [b]) => a - b);
  const waits = rules.filter((rule) => (rule.channel ?? channel) === channel)
    .map((rule) => waitOf(rule, all, tags[0], now));
  const write = (commit: Deno.AtomicOperation, changed: Call[]) => {
    codeLimits.replace(commit, entry, { calls: changed, expires_at: isoAfter(now, longest) }, now);
  };
  const call: Call = rules.some(({ numbers }) => numbers)
    ? [now, channel, tags[0]]
    : [now, channel];
  return {
    entry,
    waitMs: Math.max(0, ...waits),
    take: (commit) => write(commit, [...calls, call].sort(([a], [b]) => a - b)),
    release(commit, time) {
      const at = calls.findLastIndex((call) =>
        (time ?? call[0]) === call[0] && call[1] === channel
      );
      if (at !== -1) write(commit, calls.toSpliced(at, 1));
    },
  };
}

function waitOf(
  { limit, windowMs, channel: only, numbers }: Rule,
  calls: Call[],
  tag: string,
  now: number,
): number {
  const counted = calls
    .filter(([time, channel]) => Math.abs(now - time) < windowMs && (only ?? channel) === channel);
  const times = numbers ? lastTimes(counted, tag) : counted.map(([time]) => time);
  return times.length < limit ? 0 : times[times.length - limit] + windowMs - now;
}

/** Returns when each other number was last called; nothing for a number that was called before. */
function lastTimes(calls: Call[], tag: string): number[] {
  const last = new Map(calls.map(([time, , number]) => [number, time]));
  return last.has(tag) ? [] : [...last.values()].sort((a, b) => a - b);
}
