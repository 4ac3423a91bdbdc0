import { encodeBase64Url } from "../../base/encoding.ts";
import { type Expiring, expiring, getLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { digitsOf, randomDigits } from "../../base/six_digits.ts";
import { MINUTE_MS, plural } from "../../base/time.ts";

/** How long a code is valid after it was shown. */
export const LINK_CODE_LIFETIME_MS = 15 * MINUTE_MS;
const MAX_ATTEMPTS = 5;

/** The place where a code is valid: the browser that requested the link, and the request. */
export interface LinkCodePlace {
  /** SHA-256 of the browser's id. */
  browser: string;
  /** SHA-256 of the request's token. */
  request: string;
}

interface LinkCodeRow extends Expiring {
  /** HMAC of the place and the code. Until a code is shown, random, so that no code matches. */
  code: string;
  /** The hashes of the records that it opens. */
  choices: string[];
  /** Counted before the code is compared. */
  attempts: number;
}

export type LinkCodeFailure = Failure<"invalid_request" | "wrong_code" | "code_expired">;

/** A code that was entered correctly, and has not been used yet. */
export interface CorrectLinkCode {
  ok: true;
  choices: string[];
  /** Adds the use of the code to a commit. Returns false if it was used or replaced since. */
  use(commit: Deno.AtomicOperation): Promise<boolean>;
}

/** The codes that sign-in links show in a different browser from the one that requested them. */
export interface LinkCodes {
  /**
   * Ends the code of a place, and allows five new attempts. It runs for every address that a link is
   * requested for, so that nobody can find out which addresses have records by typing codes.
   */
  reset(place: LinkCodePlace): Promise<void>;
  /** Adds a new code to a commit, and returns it. */
  create(
    commit: Deno.AtomicOperation,
    place: LinkCodePlace,
    choices: string[],
    now: number,
  ): Promise<string>;
  /** Counts an attempt, then compares. */
  check(place: LinkCodePlace, typed: string): Promise<CorrectLinkCode | LinkCodeFailure>;
  /** The failure of a code that cannot be used, without the reason. */
  expired(): LinkCodeFailure;
}

const PREFIX = "record_link_codes";

const keyOf = ({ browser, request }: LinkCodePlace): Deno.KvKey => [PREFIX, browser, request];

export function createLinkCodes(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): LinkCodes {
  const signed = ({ browser, request }: LinkCodePlace, digits: string) =>
    JSON.stringify([browser, request, digits]);

  /** Sets the row of a place. Earlier attempts count for a code that is shown later. */
  function set(
    commit: Deno.AtomicOperation,
    place: LinkCodePlace,
    row: Omit<LinkCodeRow, "expires_at">,
    now: number,
  ): void {
    const value = { ...row, expires_at: isoAfter(now, LINK_CODE_LIFETIME_MS) };
    commit.set(keyOf(place), value, expiring(value, now));
  }

  return {
    async reset(place) {
      const code = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
      const commit = kv.atomic();
      set(commit, place, { code, choices: [], attempts: 0 }, clock());
      await commit.commit();
    },
    async create(commit, place, choices, now) {
      const entry = await getLive<LinkCodeRow>(kv, keyOf(place), now);
      const digits = randomDigits();
      const code = await secrets.sign("link-code", signed(place, digits));
      if (entry !== null) commit.check(entry);
      set(commit, place, { code, choices, attempts: entry?.value.attempts ?? 0 }, now);
      return digits;
    },
    async check(place, typed) {
      const digits = digitsOf(typed);
      if (digits === null) return refuse("invalid_request", "Enter the six digits of the code.");
      const attempt = await transact(async () => {
        const now = clock();
        const entry = await getLive<LinkCodeRow>(kv, keyOf(place), now);
        if (entry === null || entry.value.attempts >= MAX_ATTEMPTS) return { result: null };
        const row = { ...entry.value, attempts: entry.value.attempts + 1 };
        const commit = kv.atomic().check(entry).set(entry.key, row, expiring(row, now));
        return { result: row, commit };
      });
      if (attempt === null) return expired();
      const { code, choices, attempts } = attempt;
      if (!await secrets.verify("link-code", signed(place, digits), code)) {
        return wrong(MAX_ATTEMPTS - attempts);
      }
      const use = async (commit: Deno.AtomicOperation) => {
        const entry = await kv.get<LinkCodeRow>(keyOf(place));
        if (entry.value?.code !== code) return false;
        commit.check(entry).delete(entry.key);
        return true;
      };
      return { ok: true, choices, use };
    },
    expired,
  };
}

/** Deletes every code that opens a record. There are few, because they are stored for minutes. */
export async function deleteLinkCodes(kv: Deno.Kv, hash: string): Promise<void> {
  for await (const { key, value } of kv.list<LinkCodeRow>({ prefix: [PREFIX] })) {
    if (value.choices.includes(hash)) await kv.delete(key);
  }
}

const expired = (): LinkCodeFailure =>
  refuse("code_expired", "This code can no longer be used. Ask for a new link.");

function wrong(left: number): LinkCodeFailure {
  return refuse(
    "wrong_code",
    left > 0
      ? `That code is not right. You can try ${plural(left, "more time")}.`
      : "That code is not right, and you have no attempts left. Ask for a new link.",
  );
}

const refuse = (error: LinkCodeFailure["error"], message: string): LinkCodeFailure =>
  fail(error, { message, issues: { code: message } });
