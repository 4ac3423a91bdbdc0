/** The codes of sign-in links that are opened in another browser. */
import { z } from "zod";
import { encodeBase64Url } from "../../../base/encoding.ts";
import {
  countIn,
  defineTable,
  expires,
  EXPIRING,
  isoAfter,
  transact,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { digitsOf, randomDigits } from "../../../base/six_digits.ts";
import { inMinutes, MINUTE_MS, plural } from "../../../base/time.ts";

/** How long a code is valid after it was shown. */
export const LINK_CODE_LIFETIME_MS = 15 * MINUTE_MS;
const MAX_ATTEMPTS = 5;

/** The browser that asked for a link and in which its code is typed, for one request. */
export interface LinkAsker {
  /** SHA-256 of the browser's id. */
  browser: string;
  /** SHA-256 of the request's token. */
  request: string;
}

/** The codes that were shown. A code is deleted with each of the records that it opens. */
export const linkCodes = defineTable({
  prefix: "record_link_codes",
  value: z.strictObject({
    /** HMAC of who asked and the code. It is random until a code is shown, so that no code matches. */
    code: z.string(),
    /** The hashes of the records that it opens. */
    choices: z.array(z.string()),
    /** The number of attempts. Each one is counted before its code is compared. */
    attempts: z.number(),
    ...EXPIRING,
  }),
  key: ["browser", "request"],
  indexes: { record_link_codes_by_record: ["choices"] },
  owner: { record: "choices" },
  lifetime: expires(inMinutes(LINK_CODE_LIFETIME_MS)),
  per: "link opened in another browser",
  privacy: { section: "record", label: "Signing in to connect an app" },
});

export type LinkCodeFailure = Failure<"invalid_request" | "wrong_code" | "code_expired">;

/** A code that was entered correctly, and has not been used yet. */
export interface CorrectLinkCode {
  ok: true;
  choices: string[];
  /** Adds the use of the code to a commit. Returns false if it was used or replaced since. */
  use(commit: Deno.AtomicOperation): Promise<boolean>;
}

const keyOf = ({ browser, request }: LinkAsker): [string, string] => [browser, request];

/** Creates the codes that sign-in links show in a different browser from the one that requested them. */
export function createLinkCodes(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
) {
  const signed = ({ browser, request }: LinkAsker, digits: string) =>
    JSON.stringify([browser, request, digits]);

  return {
    /**
     * Ends the code of a browser and request, and allows five new attempts. It runs for every address that a link is
     * requested for, so that nobody can find out which addresses have records by typing codes.
     */
    async reset(asker: LinkAsker): Promise<void> {
      const now = clock();
      const code = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
      const expires_at = isoAfter(now, LINK_CODE_LIFETIME_MS);
      const commit = kv.atomic();
      linkCodes.put(commit, keyOf(asker), { code, choices: [], attempts: 0, expires_at }, now);
      await commit.commit();
    },
    /** Adds a new code to a commit, and returns it. */
    async create(
      commit: Deno.AtomicOperation,
      asker: LinkAsker,
      choices: string[],
      now: number,
    ): Promise<string> {
      const entry = await linkCodes.getLive(kv, now, ...keyOf(asker));
      const digits = randomDigits();
      const code = await secrets.sign("link-code", signed(asker, digits));
      const attempts = entry?.value.attempts ?? 0; // includes attempts before the code is shown
      const expires_at = isoAfter(now, LINK_CODE_LIFETIME_MS);
      if (entry !== null) commit.check(entry);
      linkCodes.put(commit, keyOf(asker), { code, choices, attempts, expires_at }, now);
      return digits;
    },
    /** Counts an attempt and then compares the code. */
    async check(asker: LinkAsker, typed: string): Promise<CorrectLinkCode | LinkCodeFailure> {
      const digits = digitsOf(typed);
      if (digits === null) return refuse("invalid_request", "Enter the six digits of the code.");
      const attempt = await transact(async () => {
        const now = clock();
        countIn(kv, linkCodes.key(...keyOf(asker)));
        const entry = await linkCodes.getLive(kv, now, ...keyOf(asker));
        if (entry === null || entry.value.attempts >= MAX_ATTEMPTS) return { result: null };
        const row = { ...entry.value, attempts: entry.value.attempts + 1 };
        const commit = kv.atomic();
        linkCodes.replace(commit, entry, row, now);
        return { result: row, commit };
      });
      if (attempt === null) return expired();
      const { code, choices, attempts } = attempt;
      if (!await secrets.verify("link-code", signed(asker, digits), code)) {
        return wrong(MAX_ATTEMPTS - attempts);
      }
      const use = async (commit: Deno.AtomicOperation) => {
        const entry = await linkCodes.get(kv, ...keyOf(asker));
        if (entry.value?.code !== code) return false;
        linkCodes.deleteAt(commit.check(entry), keyOf(asker), entry.value);
        return true;
      };
      return { ok: true, choices, use };
    },
    expired,
  };
}

/** The failure of a code that cannot be used, without the reason. */
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
