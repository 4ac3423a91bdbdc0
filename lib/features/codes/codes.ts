/** Stores one-time codes: creating one, counting attempts, comparing what was typed, and using it up. */
import { z } from "zod";
import { utf8 } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  countIn,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  unchecked,
} from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { digitsOf, randomDigits } from "../../base/six_digits.ts";
import { formatWait, inMinutes, MINUTE_MS, plural, SECOND_MS } from "../../base/time.ts";
import type { Channel } from "./provider.ts";

/** The purposes of a code. A code is useless for the other purpose. */
export const PURPOSES = ["sign_in", "confirm_number"] as const;
export type Purpose = typeof PURPOSES[number];

/** How long a code is valid. */
export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** The number of attempts that a code allows. */
export const MAX_ATTEMPTS = 5;

/**
 * A row of `otp_codes` (spec 2.9). There is one row for each number and purpose. Unknown numbers have
 * rows too, so that requests for them do not differ.
 */
const code = z.strictObject({
  id: z.string(),
  purpose: z.enum(PURPOSES),
  /** The record whose number is confirmed. Null for a sign-in, which opens the number's records. */
  contact_hash: z.string().nullable(),
  /** The number, sealed. */
  number: z.instanceof(Uint8Array<ArrayBuffer>),
  /** HMAC of purpose, number and code. */
  code: z.string(),
  method: z.enum(["sms", "voice"]),
  /** SHA-256 of the id of the browser that asked for the code. */
  browser: z.string(),
  /** The provider's id of the message to a holder; null before it was accepted. */
  message: z.string().nullish(),
  /** The number of attempts, which is counted before a code is compared. The next code keeps it. */
  attempts: z.number(),
  used: z.literal([0, 1]),
  created_at: z.iso.datetime(),
  ...EXPIRING,
});
export type CodeRow = z.infer<typeof code>;

const shared = {
  lifetime: expires(inMinutes(CODE_LIFETIME_MS)),
  owner: "record",
  per: "code",
} as const;

/** The codes that would open a record, or confirm its number. */
const codesOfRecords = defineTable({
  ...shared,
  prefix: "otp_codes_by_contact",
  value: z.strictObject(EXPIRING),
  key: ["contact_hash", "id"],
});

/** The last code of each purpose that a browser asked for. */
const codesOfBrowsers = defineTable({
  ...shared,
  prefix: "otp_codes_by_browser",
  value: z.strictObject({ id: z.string(), ...EXPIRING }),
  key: ["browser", "purpose"],
});

export const codeTable = defineTable({
  ...shared,
  prefix: "otp_codes",
  value: code,
  key: ["id"],
  otherIndexes: [codesOfRecords.prefix, codesOfBrowsers.prefix],
  privacy: {
    section: "codes",
    label: "Codes",
    text: "A keyed hash of the code, the number (encrypted), the provider's id of the message, " +
      `and a hash of your browser's cookie, for ${inMinutes(CODE_LIFETIME_MS)}, even if the ` +
      "record is deleted in the meantime.",
  },
});

interface NewCode {
  purpose: Purpose;
  /** The number in E.164. */
  number: string;
  channel: Channel;
  browserId: string;
  contactHash: string | null;
}

/** A code that was entered correctly, and has not been consumed yet. */
export interface CorrectCode {
  ok: true;
  row: CodeRow;
  number: string;
}

type CheckFailure = Failure<"invalid_request" | "wrong_code" | "code_expired">;

/** A live code as its own browser may see it. */
export interface PendingCode {
  /** The number in E.164. */
  number: string;
  channel: Channel;
  contactHash: string | null;
  createdAt: string;
  /** The provider's id of the message to a holder. */
  message: string | null;
}

export interface CodeStore {
  /**
   * Adds a new code to a commit. It replaces the live code of the same number and purpose, and takes
   * over its attempts.
   *
   * @returns the code, or a failure while the attempts of a live code are used up
   */
  create(
    commit: Deno.AtomicOperation,
    code: NewCode,
    now: number,
  ): Promise<{ ok: true; digits: string; id: string } | Failure>;
  /** Stores the provider's id of the message that contains a code. */
  setMessage(id: string, message: string): Promise<void>;
  /** Counts an attempt and then compares the code, which stays valid until it is consumed. */
  check(
    purpose: Purpose,
    browserId: string | null,
    typed: string,
  ): Promise<CorrectCode | CheckFailure>;
  /**
   * Marks a correct code as used, in the commit of its effect. The commit fails if the row has
   * changed since.
   *
   * @returns false if the code has been used or replaced in the meantime; then nothing is added
   */
  consume(commit: Deno.AtomicOperation, correct: CorrectCode, now: number): Promise<boolean>;
  /** Returns the live code that a browser asked for last, for a purpose. */
  pending(purpose: Purpose, browserId: string | null): Promise<PendingCode | null>;
  /** Adds a record to the index by which its codes are deleted. */
  index(commit: Deno.AtomicOperation, hash: string, id: string, now: number): void;
}

/**
 * Creates the store of the codes.
 */
export function createCodeStore(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): CodeStore {
  /**
   * Returns the ids of a number's row with each secret. They are keyed, so that nobody can test numbers
   * against them.
   */
  const idsOf = (purpose: Purpose, number: string) =>
    secrets.signatures("code", JSON.stringify(["row", purpose, number]));
  const signed = (purpose: Purpose, number: string, digits: string) =>
    JSON.stringify(["code", purpose, number, digits]);

  async function find(purpose: Purpose, browserId: string | null, now: number) {
    if (browserId === null) return null;
    const browser = sha256(browserId);
    const pointer = await codesOfBrowsers.getLive(kv, now, browser, purpose);
    if (pointer === null) return null;
    unchecked("A new code gets an id of its own.", pointer);
    countIn(kv, codeTable.key(pointer.value.id));
    const entry = await codeTable.getLive(kv, now, pointer.value.id);
    const own = entry?.value.browser === browser && entry.value.purpose === purpose;
    return own && entry.value.used === 0 ? entry : null;
  }

  async function numberOf({ id, number }: CodeRow): Promise<string | null> {
    const opened = await secrets.open("code", number, id);
    return opened === null ? null : new TextDecoder().decode(opened);
  }

  return {
    async create(commit, { purpose, number, channel, browserId, contactHash }, now) {
      const [id, ...earlier] = await idsOf(purpose, number);
      const [before, ...others] = await Promise.all(
        [id, ...earlier].map((each) => codeTable.get(kv, each)),
      );
      const open = [before, ...others].map(({ value }) => value)
        .find((value) => value?.used === 0 && isLive(value, now)) ?? null;
      unchecked("A code of an earlier secret is replaced, whatever happens to it.", ...others);
      for (const { key, value } of others) if (value !== null) commit.delete(key);
      if (open !== null && open.attempts >= MAX_ATTEMPTS) {
        return tooManyAttempts(Date.parse(open.expires_at) - now);
      }
      const digits = randomDigits();
      const browser = sha256(browserId);
      const expires_at = isoAfter(now, CODE_LIFETIME_MS);
      codeTable.replace(commit, before, {
        id,
        purpose,
        contact_hash: contactHash,
        number: await secrets.seal("code", utf8(number), id),
        code: await secrets.sign("code", signed(purpose, number, digits)),
        method: channel,
        browser,
        attempts: open?.attempts ?? 0,
        used: 0,
        created_at: new Date(now).toISOString(),
        expires_at,
      }, now);
      codesOfBrowsers.put(commit, [browser, purpose], { id, expires_at }, now);
      if (contactHash !== null) this.index(commit, contactHash, id, now);
      return { ok: true, digits, id };
    },
    setMessage: (id, message) =>
      transact(async () => {
        const now = clock();
        const entry = await codeTable.getLive(kv, now, id);
        if (entry === null) return { result: undefined };
        const commit = kv.atomic();
        codeTable.replace(commit, entry, { ...entry.value, message }, now);
        return { result: undefined, commit };
      }),
    async check(purpose, browserId, typed) {
      const digits = digitsOf(typed);
      if (digits === null) {
        const issue = "Enter the six digits of the code.";
        return fail("invalid_request", { message: issue, issues: { code: issue } });
      }
      const attempt = await transact<CodeRow | null>(async () => {
        const now = clock();
        const entry = await find(purpose, browserId, now);
        if (entry === null || entry.value.attempts >= MAX_ATTEMPTS) {
          return { result: entry?.value ?? null };
        }
        const attempts = entry.value.attempts + 1;
        const commit = kv.atomic();
        codeTable.replace(commit, entry, { ...entry.value, attempts }, now);
        return { result: entry.value, commit };
      });
      if (attempt === null) return expired();
      if (attempt.attempts >= MAX_ATTEMPTS) return usedUp();
      const number = await numberOf(attempt);
      if (number === null) return expired();
      const correct = await secrets.verify("code", signed(purpose, number, digits), attempt.code);
      return correct
        ? { ok: true, row: attempt, number }
        : wrongCode(MAX_ATTEMPTS - attempt.attempts - 1);
    },
    async consume(commit, { row: { id, code } }, now) {
      const entry = await codeTable.getLive(kv, now, id);
      if (entry === null || entry.value.used === 1 || entry.value.code !== code) return false;
      codeTable.replace(commit, entry, { ...entry.value, used: 1 }, now);
      return true;
    },
    async pending(purpose, browserId) {
      const entry = await find(purpose, browserId, clock());
      const number = entry && await numberOf(entry.value);
      if (entry === null || number === null) return null;
      const { method, contact_hash, created_at, message = null } = entry.value;
      return {
        number,
        channel: method,
        contactHash: contact_hash,
        createdAt: created_at,
        message,
      };
    },
    index(commit, hash, id, now) {
      const expires_at = isoAfter(now, CODE_LIFETIME_MS);
      codesOfRecords.put(commit, [hash, id], { expires_at }, now);
    },
  };
}

/** Deletes the live codes of a record, including those that would sign in to it. */
export async function deleteLiveCodes(kv: Deno.Kv, hash: string): Promise<void> {
  for await (const { key } of codesOfRecords.list(kv, [hash])) {
    const commit = kv.atomic().delete(codeTable.key(String(key[2]))).delete(key);
    await transact(() => Promise.resolve({ result: true, commit }));
  }
}

/** The failure of a wrong code, and of a right one that opens nothing. */
export function wrongCode(left: number): Failure<"wrong_code"> {
  const message = left > 0
    ? `That code is not right. You can try ${plural(left, "more time")}.`
    : "That code is not right, and you have no attempts left. Get a new code.";
  return fail("wrong_code", { message, issues: { code: message } });
}

/** The failure of a code that cannot be used, without the reason. */
export function expired(): Failure<"code_expired"> {
  const message = "This code has expired, or was sent to another browser. Get a new one.";
  return fail("code_expired", { message, issues: { code: message } });
}

const USED_UP = `Wrong codes were entered ${plural(MAX_ATTEMPTS, "time")}`;

function usedUp(): Failure<"code_expired"> {
  const message = `${USED_UP}, so this code can no longer be used.`;
  return fail("code_expired", { message, issues: { code: message } });
}

function tooManyAttempts(waitMs: number): Failure {
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  const wait = formatWait(retryAfterSeconds);
  const message = `${USED_UP}. You can get a new one ${wait}.`;
  return fail("rate_limited", { message, retryAfterSeconds });
}
