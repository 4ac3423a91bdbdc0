/** Decides if a code may be sent: applies the rules, the daily budget and the signs of fraud in order. */
import { countIn, letOthersGo, transact, unchecked } from "../../platform/kv/mod.ts";
import type { Attempt } from "../../platform/kv/transact.ts";
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import type { Platform } from "../../platform/feature.ts";
import { DAY_MS, dayOf, formatWait, MINUTE_MS, plural, SECOND_MS } from "../../base/time.ts";
import {
  converts,
  type CountedDay,
  countMessage,
  type DayRow,
  dayRowOf,
  readDay,
  setDay,
  type Shard,
  shardKey,
  shardOf,
} from "./days.ts";
import {
  CONFIRMATION,
  type Counted,
  countedOf,
  numberTags,
  SIGN_IN,
  type Subject,
  subjectKeys,
} from "./limits.ts";
import { type CodeCountries, countryProblem, partsOf, typeProblem } from "./numbers.ts";
import type { Channel } from "./provider.ts";

export interface SendLimitsOptions extends Pick<Platform, "kv" | "clock" | "secrets" | "log"> {
  countries: CodeCountries;
  /** Messages per day, over all numbers and channels. */
  dailyBudget: number;
  /** False to count no client addresses, for measurements. */
  limitClients: boolean;
}

interface LimitedRequest {
  /** The number in E.164. */
  number: string;
  channel: Channel;
  clientAddress: string;
  /**
   * The handle of the record whose holder confirms the number, which corrections of the record keep; none
   * for a sign-in.
   */
  record?: string;
}

/** A request that passed, so that it can be taken back. */
export interface Admitted {
  ok: true;
  request: LimitedRequest;
  time: number;
}

/** Adds what depends on the count to its commit. A failure cancels the commit. */
type AddToCount = (
  commit: Deno.AtomicOperation,
  now: number,
) => Promise<Failure | void> | Failure | void;

/** A message of an admitted request. */
export type Message = Omit<LimitedRequest, "clientAddress">;

/** No dial code gets more than this share of the daily budget, and calls get less than messages. */
const DIAL_CODE_SHARE = 1 / 2;
const VOICE_SHARE = 1 / 5;

interface Day {
  all: CountedDay;
  dial: CountedDay;
  before: CountedDay;
  shard: Shard;
}

export type SendLimits = ReturnType<typeof createSendLimits>;

/**
 * Limits who gets codes, because every message costs money, and some numbers earn their owner money.
 * Everything fails closed: if a counter cannot be read or written, the methods reject and nothing
 * may be sent.
 *
 * The limits apply in this order: client address, number, prefix, record, dial code,
 * country, line type, budget, conversion.
 */
export function createSendLimits(options: SendLimitsOptions) {
  const { kv, clock, secrets, countries, dailyBudget, limitClients, log } = options;

  /** Runs a transaction that writes the rows of a number's shard. */
  async function inShard<Result>(
    number: string,
    attempt: (shard: Shard) => Promise<Attempt<Result>>,
  ): Promise<Result> {
    const [tag] = await numberTags(secrets, partsOf(number));
    const shard = shardOf(tag, dailyBudget);
    return await transact(() => {
      countIn(kv, shardKey(dayOf(clock()), "all", shard.index));
      return attempt(shard);
    });
  }

  const subjectsOf = ({ record }: LimitedRequest): Subject[] =>
    [...record === undefined ? SIGN_IN : CONFIRMATION]
      .filter((subject) => limitClients || subject !== "client");

  async function readCounters(subjects: Subject[], request: LimitedRequest, now: number) {
    const number = partsOf(request.number);
    const [keys, tags] = await Promise.all([
      subjectKeys(secrets, subjects, { ...request, number }),
      numberTags(secrets, number),
    ]);
    const shard = shardOf(tags[0], dailyBudget);
    const { dialCode } = number;
    countIn(kv, ...keys.map(([key]) => key));
    const [entries, all, dial, before] = await Promise.all([
      readAll(kv, keys),
      readDay(kv, dayOf(now), "all", shard),
      readDay(kv, dayOf(now), dialCode, shard),
      readDay(kv, dayOf(now - DAY_MS), dialCode, shard),
    ]);
    unchecked("Yesterday is over.", before.entry);
    const call = { channel: request.channel, tags, now };
    const counted = subjects.map((subject, i): [Subject, Counted] => [
      subject,
      countedOf(entries[i], subject, call),
    ]);
    return { counted, day: { all, dial, before, shard } };
  }

  const count = (message: Message, by: 1 | -1, addToCount?: AddToCount) =>
    inShard<string | Failure | null>(message.number, async () => {
      const now = clock();
      const { number, channel } = message;
      const request = { ...message, clientAddress: "" };
      const { counted, day } = await readCounters(messageSubjectsOf(message), request, now);
      const pause = by === 1 ? pauseOf(day, channel, dailyBudget, now) : null;
      if (pause !== null) return { result: pause };
      const limited = counted.find(([, { waitMs }]) => by === 1 && waitMs > 0);
      if (limited !== undefined) {
        log({ level: "warn", event: "codes_prefix_spent", dial_code: partsOf(number).dialCode });
        return { result: tooMany(limited[0], limited[1].waitMs) };
      }
      const commit = kv.atomic();
      for (const [, counter] of counted) {
        if (by === 1) counter.take(commit);
        else counter.release(commit);
      }
      for (const { entry } of [day.all, day.dial]) {
        setDay(commit, entry, countMessage(dayRowOf(entry), channel, now, by), now);
      }
      const failure = await addToCount?.(commit, now);
      return failure ? { result: failure } : { result: null, commit };
    });

  return {
    /**
     * Counts a request for a code, before anyone knows whether a message will be sent. For a sign-in, the
     * result does not depend on what was sent to the number or to others with its prefix.
     */
    async admit(request: LimitedRequest, addToCount?: AddToCount): Promise<Admitted | Failure> {
      const { number, channel } = request;
      let pause: string | null = null;
      const admitted = await transact<Admitted | Failure>(async () => {
        const now = clock();
        const { counted, day } = await readCounters(subjectsOf(request), request, now);
        const limited = counted.find(([, { waitMs }]) => waitMs > 0);
        if (limited !== undefined) {
          letOthersGo(limited[1].entry.key);
          return { result: tooMany(limited[0], limited[1].waitMs) };
        }
        pause = dialCodeSpent(day, channel, dailyBudget)
          ? pauseOf(day, channel, dailyBudget, now)
          : null;
        if (pause !== null) return { result: paused(now) };
        const problem = countryProblem(number, channel, countries) ?? typeProblem(number);
        if (problem !== null) return { result: problem };
        pause = pauseOf(day, channel, dailyBudget, now);
        if (pause !== null) return { result: paused(now) };
        unchecked("The message is counted before it is sent.", day.all.entry, day.dial.entry);
        const commit = kv.atomic();
        for (const [, { take }] of counted) take(commit);
        const failure = await addToCount?.(commit, now);
        return failure ? { result: failure } : { result: { ok: true, request, time: now }, commit };
      });
      if (pause !== null) await alarm(options, pause, number);
      return admitted;
    },
    /** Takes back a request, because the provider refused its message and said so. */
    withdraw: ({ request, time }: Admitted): Promise<void> =>
      transact(async () => {
        const { counted, day } = await readCounters(subjectsOf(request), request, clock());
        unchecked("The request was not counted in the day.", day.all.entry, day.dial.entry);
        const commit = kv.atomic();
        // The client's count is kept, because its requests cost us work.
        for (const [subject, { release }] of counted) {
          if (subject !== "client") release(commit, time);
        }
        return { result: undefined, commit };
      }),
    /** Counts a message that is about to be sent. Returns false if it must not be sent. */
    async reserve(message: Message, addToCount?: AddToCount): Promise<boolean> {
      const refused = await count(message, 1, addToCount);
      if (typeof refused === "string") await alarm(options, refused, message.number);
      return refused === null;
    },
    /** Takes back a message that the provider certainly did not accept. */
    async release(message: Message): Promise<void> {
      await count(message, -1);
    },
    /** Counts a code that was entered correctly. */
    approve: (number: string): Promise<void> =>
      inShard(number, async (shard) => {
        const now = clock();
        const { entry } = await readDay(kv, dayOf(now), partsOf(number).dialCode, shard);
        const row = dayRowOf(entry);
        const commit = kv.atomic();
        setDay(commit, entry, { ...row, approved: row.approved + 1 }, now);
        return { result: undefined, commit };
      }),
  };
}

/** Reads the entries of each subject's counter. */
async function readAll(
  kv: Deno.Kv,
  keys: readonly Deno.KvKey[][],
): Promise<Deno.KvEntryMaybe<unknown>[][]> {
  const all = keys.flat();
  const entries = all.length === 0 ? [] : await kv.getMany<unknown[]>(all);
  return keys.map(({ length }) => entries.splice(0, length));
}

/** The further limits that a message counts for; the request of a holder has counted it already. */
const messageSubjectsOf = ({ record }: Message): Subject[] =>
  record === undefined ? ["message_prefix"] : [];

/** Logs one line per dial code and day. */
async function alarm(
  { kv, clock, log }: SendLimitsOptions,
  event: string,
  number: string,
): Promise<void> {
  const { dialCode } = partsOf(number);
  const row = await transact(async () => {
    const now = clock();
    countIn(kv, shardKey(dayOf(now), dialCode, 0));
    const { total, entry } = await readDay(kv, dayOf(now), dialCode, { index: 0 });
    if (total.alarmed) return { result: null };
    const commit = kv.atomic();
    setDay(commit, entry, { ...dayRowOf(entry), alarmed: true }, now);
    return { result: total, commit };
  });
  if (row === null) return;
  const { sms, voice, approved } = row;
  log({ level: "error", event, dial_code: dialCode, sms, voice, approved });
}

const dialCodeSpent = ({ dial, shard }: Day, channel: Channel, dailyBudget: number): boolean =>
  isSpent(dial.total, shard, channel, dailyBudget * DIAL_CODE_SHARE);

const budgetSpent = ({ all, shard }: Day, channel: Channel, dailyBudget: number): boolean =>
  isSpent(all.total, shard, channel, dailyBudget);

const isSpent = (
  { sms, voice }: DayRow,
  { reserve }: Shard,
  channel: Channel,
  limit: number,
): boolean =>
  sms + voice + reserve >= limit ||
  channel === "voice" && voice + reserve >= limit * VOICE_SHARE;

/** Returns the event to log if no message may be sent to a dial code at the moment, or null. */
function pauseOf(day: Day, channel: Channel, dailyBudget: number, now: number): string | null {
  if (dialCodeSpent(day, channel, dailyBudget)) return "codes_dial_code_spent";
  if (budgetSpent(day, channel, dailyBudget)) return "codes_budget_spent";
  return converts([day.dial.total, day.before.total], now) ? null : "codes_not_entered";
}

const TOO_MANY_LIKE_THIS = "Too many codes were sent to numbers like this one.";

const TOO_MANY: Record<Subject, string> = {
  client: "Too many codes were requested from your network.",
  number: "A code for this number was requested a short time ago.",
  message_prefix: TOO_MANY_LIKE_THIS,
  holder_number: "A code for this number was requested a short time ago.",
  holder_prefix: TOO_MANY_LIKE_THIS,
  holder_record: "Codes were sent to three numbers for this record already.",
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
    message: "We cannot send codes to this number today. Use a passkey or an emailed link instead.",
    retryAfterSeconds: Math.ceil((DAY_MS - now % DAY_MS) / SECOND_MS),
  });
