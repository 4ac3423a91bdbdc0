import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { type Expiring, expiring, isoAfter } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { CodeNumber } from "./numbers.ts";
import type { Channel } from "./provider.ts";

/** The subjects by which requests for codes are counted, in the order in which the limits are checked. */
export const SUBJECTS = ["client", "number", "prefix"] as const;
export type Subject = typeof SUBJECTS[number];

/** At most `limit` requests in any period of `windowMs`, over all channels or on one. */
interface Rule {
  limit: number;
  windowMs: number;
  channel?: Channel;
}

/** Calls cost more than messages, so they have lower limits in addition. */
const RULES: Readonly<Record<Subject, readonly Rule[]>> = {
  client: [
    { limit: 10, windowMs: HOUR_MS },
    { limit: 5, windowMs: HOUR_MS, channel: "voice" },
  ],
  number: [
    { limit: 1, windowMs: MINUTE_MS },
    { limit: 5, windowMs: HOUR_MS },
    { limit: 10, windowMs: DAY_MS },
    { limit: 2, windowMs: HOUR_MS, channel: "voice" },
    { limit: 4, windowMs: DAY_MS, channel: "voice" },
  ],
  prefix: [
    { limit: 20, windowMs: DAY_MS },
    { limit: 5, windowMs: DAY_MS, channel: "voice" },
  ],
};

type Call = [time: number, channel: Channel];

interface Log extends Expiring {
  calls: Call[];
}

/** The requests of one subject at one moment. */
export interface Counted {
  /** Milliseconds until the subject may request another code; 0 if it may now. */
  waitMs: number;
  /** Counts a request in a commit, which fails if another one has been counted since the read. */
  take(commit: Deno.AtomicOperation): void;
  /** Removes a counted request in a commit. */
  release(commit: Deno.AtomicOperation, time: number): void;
}

/** Returns the keys of the counters. They contain neither an address nor a number. */
export async function subjectKeys(
  secrets: Secrets,
  { e164, prefix }: CodeNumber,
  clientAddress: string,
): Promise<Record<Subject, Deno.KvKey>> {
  const key = (subject: Subject, hash: string): Deno.KvKey => ["code_limits", subject, hash];
  return {
    client: key("client", sha256(addressKey(clientAddress))),
    number: key("number", await secrets.sign("code", JSON.stringify(["number", e164]))),
    prefix: key("prefix", await secrets.sign("code", JSON.stringify(["prefix", prefix]))),
  };
}

/** Interprets the entry of a subject's counter. */
export function countedOf(
  entry: Deno.KvEntryMaybe<unknown>,
  subject: Subject,
  channel: Channel,
  now: number,
): Counted {
  const rules = RULES[subject];
  const longest = Math.max(...rules.map(({ windowMs }) => windowMs));
  // Times more than a window ahead were stored before the clock was set back.
  const calls = ((entry.value as Log | null)?.calls ?? [])
    .filter(([time]) => Math.abs(now - time) < longest);
  const waits = rules.filter((rule) => (rule.channel ?? channel) === channel)
    .map((rule) => waitOf(rule, calls, now));
  const write = (commit: Deno.AtomicOperation, changed: Call[]) => {
    const log: Log = { calls: changed, expires_at: isoAfter(now, longest) };
    commit.check(entry).set(entry.key, log, expiring(log, now));
  };
  return {
    waitMs: Math.max(0, ...waits),
    take: (commit) => write(commit, [...calls, [now, channel] as Call].sort(([a], [b]) => a - b)),
    release(commit, time) {
      const at = calls.findIndex((call) => call[0] === time && call[1] === channel);
      if (at !== -1) write(commit, calls.toSpliced(at, 1));
    },
  };
}

function waitOf({ limit, windowMs, channel: only }: Rule, calls: Call[], now: number): number {
  const times = calls
    .filter(([time, channel]) => Math.abs(now - time) < windowMs && (only ?? channel) === channel)
    .map(([time]) => time);
  return times.length < limit ? 0 : times[times.length - limit] + windowMs - now;
}
