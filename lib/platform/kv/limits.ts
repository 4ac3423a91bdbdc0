/** Rate limits that are counted in the store, and how a feature declares one: `defineLimit`. */
import type { SecretPurpose, Secrets } from "../../base/secrets.ts";
import { DAY_MS, HOUR_MS, inDays, inHours, inMinutes } from "../../base/time.ts";
import { type SlidingWindow, windowLog } from "./sliding_window.ts";
import { expires, type PrivacyText, type TableDescription } from "./table_description.ts";

/** The first part of the keys of all limits. The second one is the name of the limit. */
export const LIMITS = "limits";

export interface LimitOptions<Limit extends number | null> {
  /** Its name, such as `sign_in_mailbox`. */
  name: string;
  /** The most calls in any period of `windowMs`, from 1 to `MAX_LIMIT`; null if it is configured. */
  limit: Limit;
  windowMs: number;
  /** See {@link SlidingWindow.approximate}. Default: false. */
  approximate?: boolean;
  /**
   * The owner of the times. Those of a record are counted per hash of the record, exactly, and deleted with it.
   * Default: nobody.
   */
  owner?: "nobody" | "organisation" | "record";
  /** The subject of the count, such as `mailbox that asks for sign-in links`. */
  per: string;
  /** The text about the times on the privacy page. Default: none, because they are not about people. */
  privacy?: PrivacyText | readonly PrivacyText[];
}

/** A limit, as its feature uses it. */
export interface Limit<Given extends readonly [limit?: number] = []> extends TableDescription {
  /**
   * Returns the window that counts the calls of one subject, such as one mailbox.
   *
   * @param key identifies the subject. Hash network addresses; use `signed` for anything that can be guessed and
   * identifies a person
   * @param given the limit, if the configuration has it
   */
  of(key: Deno.KvKey, ...given: Given): SlidingWindow;
  /**
   * Returns a window whose key ends with a signature, so that it does not reveal what is counted. Calls that were
   * counted with an older secret count, too.
   *
   * @param before the parts of the key before the signature
   */
  signed(
    by: { secrets: Secrets; purpose: SecretPurpose },
    text: string,
    before: Deno.KvKey,
    ...given: Given
  ): Promise<SlidingWindow>;
}

/**
 * Declares a limit that is counted in the store. Export it from the file that uses it, and add it to the list of
 * tables in the feature's `feature.ts` or `tables.ts`: all limits are in one table, and what is true of a
 * table is derived from each of them, such as its row in `docs/ops/retention.md`.
 *
 * @example
 * ```ts
 * const noteLimit = defineLimit({
 *   name: "notes",
 *   limit: 3,
 *   windowMs: HOUR_MS,
 *   owner: "record",
 *   per: "record that writes notes",
 *   privacy: { section: "record", label: "Limits", text: "The times of your notes, for an hour." },
 * });
 *
 * const counted = await takeSlot(kv, noteLimit.of([hash]), clock);
 * ```
 */
export function defineLimit<Max extends number | null>(
  options: LimitOptions<Max>,
): Limit<Max extends null ? [limit: number] : []> {
  const { name, windowMs, approximate, owner = "nobody", per, privacy = [] } = options;
  const windowOf = (key: Deno.KvKey, given?: number): SlidingWindow => ({
    key: [LIMITS, name, ...key],
    limit: (options.limit ?? given)!,
    windowMs,
    ...approximate === true && { approximate },
  });
  return {
    prefix: LIMITS,
    part: name,
    value: windowLog,
    indexes: [],
    owner,
    moves: false,
    lifetime: expires(lengthOf(windowMs)),
    per,
    privacy: [privacy].flat(),
    of: (key, ...[given]) => windowOf(key, given),
    async signed({ secrets, purpose }, text, before, ...[given]) {
      const [window, ...earlier] = (await secrets.signatures(purpose, text))
        .map((signature) => windowOf([...before, signature], given));
      return { ...window, earlier: earlier.map(({ key }) => key) };
    },
    async deleteOf(kv, hash) {
      if (owner === "record") await kv.delete(windowOf([hash]).key);
    },
    // deno-lint-ignore require-await -- it rejects, like that of a table
    async move() {
      throw new TypeError(`The limit ${name} does not move to another record.`);
    },
  };
}

function lengthOf(ms: number): string {
  if (ms % DAY_MS === 0) return inDays(ms);
  return ms % HOUR_MS === 0 ? inHours(ms) : inMinutes(ms);
}
