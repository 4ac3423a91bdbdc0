import { createQueue, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, formatWait, MINUTE_MS, plural, SECOND_MS } from "../../base/time.ts";
import { converts, countMessage, dayKey, type DayRow, dayRowOf, setDay } from "./days.ts";
import { type Counted, countedOf, type Subject, subjectKeys, SUBJECTS } from "./limits.ts";
import {
  type CodeCountries,
  type CodeNumber,
  countryProblem,
  partsOf,
  typeProblem,
} from "./numbers.ts";
import type { Channel } from "./provider.ts";

export interface SendLimitsOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  countries: CodeCountries;
  /** Messages per day, over all numbers and channels. */
  dailyBudget: number;
  /** False to count no client addresses, for measurements. */
  limitClients: boolean;
  log: (entry: Record<string, unknown>) => void;
}

export interface LimitedRequest {
  /** In E.164. */
  number: string;
  channel: Channel;
  clientAddress: string;
}

/** A request that passed, so that it can be taken back. */
export interface Admitted {
  ok: true;
  request: LimitedRequest;
  time: number;
}

/** Adds what depends on the count to its commit. A failure cancels the commit. */
export type AddToCount = (
  commit: Deno.AtomicOperation,
  now: number,
) => Promise<Failure | void> | Failure | void;

/**
 * Limits who gets codes, because every message costs money, and some numbers earn their owner money.
 * Everything fails closed: if a counter cannot be read or written, the methods reject and nothing
 * may be sent.
 */
export interface SendLimits {
  /** Counts a request for a code, before anyone knows whether a message will be sent. */
  admit(request: LimitedRequest, addToCount?: AddToCount): Promise<Admitted | Failure>;
  /** Takes back a request, because the provider refused its message and said so. */
  withdraw(admitted: Admitted): Promise<void>;
  /** Counts a message that is about to be sent. Returns false if it must not be sent. */
  reserve(number: string, channel: Channel, addToCount?: AddToCount): Promise<boolean>;
  /** Takes back a message that the provider certainly did not accept. */
  release(number: string, channel: Channel): Promise<void>;
  /** Counts a code that was entered correctly. */
  approve(number: string): Promise<void>;
}

/** No dial code gets more than this share of the daily budget, and calls get less than messages. */
const DIAL_CODE_SHARE = 1 / 2;
const VOICE_SHARE = 1 / 5;

interface Day {
  /** Of all messages, of those to the dial code, and of those to the dial code on the day before. */
  entries: Deno.KvEntryMaybe<unknown>[];
  all: DayRow;
  dial: DayRow;
  before: DayRow;
}

/**
 * Creates the limits, which apply in this order: client address, number, prefix, dial code, country,
 * line type, budget, conversion.
 *
 * @example
 * ```ts
 * const admitted = await sendLimits.admit({ number: "+61491570006", channel: "sms", clientAddress });
 * if (admitted.ok && await sendLimits.reserve("+61491570006", "sms")) await provider.send(message);
 * ```
 */
export function createSendLimits(options: SendLimitsOptions): SendLimits {
  const { kv, clock, secrets, countries, dailyBudget, limitClients, log } = options;
  const enqueue = createQueue(); // all messages count on the same day's row
  const subjects = SUBJECTS.filter((subject) => limitClients || subject !== "client");

  const dayKeys = ({ dialCode }: CodeNumber, now: number) => [
    dayKey(now, "all"),
    dayKey(now, dialCode),
    dayKey(now - DAY_MS, dialCode),
  ];

  async function readCounters(request: LimitedRequest, now: number) {
    const parts = partsOf(request.number);
    const keys = await subjectKeys(secrets, parts, request.clientAddress);
    const entries = await kv.getMany<unknown[]>([
      ...subjects.map((subject) => keys[subject]),
      ...dayKeys(parts, now),
    ]);
    const counted = subjects.map((subject, i): [Subject, Counted] => [
      subject,
      countedOf(entries[i], subject, request.channel, now),
    ]);
    return { counted, day: dayIn(entries.slice(subjects.length)) };
  }

  function dialCodeSpent({ dial }: Day, channel: Channel): boolean {
    const limit = dailyBudget * DIAL_CODE_SHARE;
    return dial.sms + dial.voice >= limit ||
      channel === "voice" && dial.voice >= limit * VOICE_SHARE;
  }

  function budgetSpent({ all }: Day, channel: Channel): boolean {
    return all.sms + all.voice >= dailyBudget ||
      channel === "voice" && all.voice >= dailyBudget * VOICE_SHARE;
  }

  /** Returns the event to log if no message may be sent to a dial code at the moment, or null. */
  function pauseOf(day: Day, channel: Channel, now: number): string | null {
    if (dialCodeSpent(day, channel)) return "codes_dial_code_spent";
    if (budgetSpent(day, channel)) return "codes_budget_spent";
    return converts([day.dial, day.before], now) ? null : "codes_not_entered";
  }

  /** Logs one line per dial code and day. */
  async function alarm(event: string, number: string): Promise<void> {
    const { dialCode } = partsOf(number);
    const row = await transact(async () => {
      const now = clock();
      const entry = await kv.get(dayKey(now, dialCode));
      const day = dayRowOf(entry);
      if (day.alarmed) return { result: null };
      const commit = kv.atomic();
      setDay(commit, entry, { ...day, alarmed: true }, now);
      return { result: day, commit };
    });
    if (row === null) return;
    const { sms, voice, approved } = row;
    log({ level: "error", event, dial_code: dialCode, sms, voice, approved });
  }

  /** Changes the counts of a day's messages. */
  const count = (number: string, channel: Channel, by: 1 | -1, addToCount?: AddToCount) =>
    enqueue(() =>
      transact<string | Failure | null>(async () => {
        const now = clock();
        const day = dayIn(await kv.getMany<unknown[]>(dayKeys(partsOf(number), now)));
        const pause = by === 1 ? pauseOf(day, channel, now) : null;
        if (pause !== null) return { result: pause };
        const commit = kv.atomic();
        setDay(commit, day.entries[0], countMessage(day.all, channel, now, by), now);
        setDay(commit, day.entries[1], countMessage(day.dial, channel, now, by), now);
        const failure = await addToCount?.(commit, now);
        return failure ? { result: failure } : { result: null, commit };
      })
    );

  return {
    async admit(request, addToCount) {
      const { number, channel } = request;
      let pause: string | null = null;
      const admitted = await transact<Admitted | Failure>(async () => {
        const now = clock();
        const { counted, day } = await readCounters(request, now);
        const limited = counted.find(([, { waitMs }]) => waitMs > 0);
        if (limited !== undefined) return { result: tooMany(limited[0], limited[1].waitMs) };
        pause = dialCodeSpent(day, channel) ? pauseOf(day, channel, now) : null;
        if (pause !== null) return { result: paused(now) };
        const problem = countryProblem(number, channel, countries) ?? typeProblem(number);
        if (problem !== null) return { result: problem };
        pause = pauseOf(day, channel, now);
        if (pause !== null) return { result: paused(now) };
        const commit = kv.atomic();
        for (const [, { take }] of counted) take(commit);
        const failure = await addToCount?.(commit, now);
        return failure ? { result: failure } : { result: { ok: true, request, time: now }, commit };
      });
      if (pause !== null) await alarm(pause, number);
      return admitted;
    },
    withdraw: ({ request, time }) =>
      transact(async () => {
        const { counted } = await readCounters(request, clock());
        const commit = kv.atomic();
        // The client's count stays: its requests cost us work.
        for (const [subject, { release }] of counted) {
          if (subject !== "client") release(commit, time);
        }
        return { result: undefined, commit };
      }),
    async reserve(number, channel, addToCount) {
      const refused = await count(number, channel, 1, addToCount);
      if (typeof refused === "string") await alarm(refused, number);
      return refused === null;
    },
    async release(number, channel) {
      await count(number, channel, -1);
    },
    approve: (number) =>
      enqueue(() =>
        transact(async () => {
          const now = clock();
          const entry = await kv.get(dayKey(now, partsOf(number).dialCode));
          const row = dayRowOf(entry);
          const commit = kv.atomic();
          setDay(commit, entry, { ...row, approved: row.approved + 1 }, now);
          return { result: undefined, commit };
        })
      ),
  };
}

function dayIn(entries: Deno.KvEntryMaybe<unknown>[]): Day {
  const [all, dial, before] = entries.map(dayRowOf);
  return { entries, all, dial, before };
}

const TOO_MANY: Record<Subject, string> = {
  client: "Too many codes were requested from your network.",
  number: "A code for this number was requested a short time ago.",
  prefix: "Too many codes were requested for numbers like this one.",
};

function tooMany(subject: Subject, waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  const wait = waitMs <= MINUTE_MS ? `in ${plural(seconds, "second")}` : formatWait(seconds);
  const failure = rateLimited(waitMs);
  return { ...failure, message: `${TOO_MANY[subject]} Try again ${wait}.` };
}

/** The limits are those of a UTC day. */
const paused = (now: number): Failure =>
  fail("unavailable", {
    message: "We cannot send codes to this number today. Use a passkey or a mailed link instead.",
    retryAfterSeconds: Math.ceil((DAY_MS - now % DAY_MS) / SECOND_MS),
  });
