/** Reports API keys that are used as a thief would use them: from a new network, or for many withdrawals. */
import { z } from "zod";
import {
  asSite,
  defineLimit,
  defineTable,
  expires,
  EXPIRING,
  isoAfter,
  readSlot,
  unchecked,
  type UnitOfWork,
} from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import { DAY_MS, formatDateTime, HOUR_MS } from "../../base/time.ts";
import { addAlert } from "../alerts/mod.ts";
import { readIssuer } from "./change.ts";
import { addKeyMail, stopParts } from "./key_mails.ts";
import { type ApiKeyRow, keyOfIssuer, shortKey } from "./key_rows.ts";
import { KEY_ORGANISATION, type KeysOptions } from "./key_options.ts";

/** The alert about a key that is used in an unusual way. */
export const KEY_UNUSUAL = "api_key_unusual";

/** More withdrawals within an hour are unusual. */
export const MOST_WITHDRAWN = 20;
/** The most mails in a day about a key and a kind of unusual use. */
const MAILS_A_DAY = { withdrawals: 1, network: 3 } as const;

/** The documents that each live key has withdrawn in the last hour. Rows only expire, so they conflict with nothing. */
export const keyWithdrawals = defineTable({
  prefix: "api_key_withdrawals",
  value: z.strictObject({
    /** The id of the key. */
    key: z.string(),
    at: z.iso.datetime(),
    /** The id of the document. */
    document: z.string(),
    ...EXPIRING,
  }),
  key: ["key", "at", "document"],
  owner: "organisation",
  lifetime: expires("an hour"),
  per: "document that was withdrawn with a live API key",
});

/** When the issuers were mailed about unusual uses of each key. */
export const keyWarnings = {
  withdrawals: defineLimit({
    name: "api_key_withdrawals",
    limit: MAILS_A_DAY.withdrawals,
    windowMs: DAY_MS,
    owner: "organisation",
    per: "API key that withdrew many documents",
  }),
  network: defineLimit({
    name: "api_key_networks",
    limit: MAILS_A_DAY.network,
    windowMs: DAY_MS,
    owner: "organisation",
    per: "API key that was used from a new network",
  }),
};

/** An unusual use of a key. */
type Unusual =
  & { key: ApiKeyRow }
  & (
    | { what: "withdrawals" }
    | { what: "network"; network: string }
  );

export type UnusualUse = ReturnType<typeof createUnusualUse>;

/**
 * Creates what notices uses of live keys that a thief would make, and tells the issuer's contact, with a link that
 * revokes the key, and the administrators. Test keys harm nobody, and developers use them anywhere.
 */
export function createUnusualUse(options: KeysOptions) {
  const { kv, clock, mailer, log } = options;

  /**
   * Adds an alert and a mail to a commit, at most {@link MAILS_A_DAY} for each key and kind of use.
   *
   * @returns null if nothing is reported, because there were as many mails
   */
  async function add(
    commit: Deno.AtomicOperation,
    use: Unusual,
    now: number,
  ): Promise<QueuedMail[] | null> {
    const { key, what } = use;
    const slot = await readSlot(kv, keyWarnings[what].of([key.id]), now);
    if (slot.waitMs > 0) return null;
    slot.take(commit);
    const { value: issuer, ...about } = await readIssuer(options, KEY_ORGANISATION, key.issuer);
    unchecked("The mail only names the issuer.", about);
    const alert = {
      organisation: KEY_ORGANISATION,
      kind: KEY_UNUSUAL,
      problem: `${key.id}/${what}`,
    };
    const links = { issuer: key.issuer };
    await addAlert(kv, commit, { ...alert, links, details: { what, key: shortKey(key) } }, now);
    if (issuer === null) return [];
    const { title, fact } = textsOf(use, issuer.name);
    return await addKeyMail(options, commit, {
      ...{ issuer, key, now, title },
      facts: [fact, ["Time", formatDateTime(new Date(now).toISOString())]],
      parts: await stopParts(options, issuer, [key]),
    });
  }

  /** Reports a key that has withdrawn many documents within an hour. */
  async function countWithdrawals(issuer: string, id: string): Promise<void> {
    await transactAndMail(mailer, async () => {
      const now = clock();
      const start = [keyWithdrawals.prefix, id, isoAfter(now, 1 - HOUR_MS)];
      const selector = { prefix: [keyWithdrawals.prefix, id], start };
      const limit = MOST_WITHDRAWN + 1;
      const rows = await Array.fromAsync(kv.list(selector, { limit, batchSize: limit }));
      unchecked("Rows are only added.", ...rows);
      if (rows.length < limit) return { result: undefined };
      const key = await keyOfIssuer(kv, issuer, id);
      if (key === undefined) return { result: undefined };
      const commit = kv.atomic().check(key);
      const mails = await add(commit, { key: key.value, what: "withdrawals" }, now);
      return mails === null ? { result: undefined } : { result: undefined, commit, mails };
    });
  }

  return {
    add,
    /**
     * Counts the withdrawal of a document in its unit, and afterwards reports the key if it has withdrawn many.
     *
     * @param caller who has withdrawn it, with a key
     */
    addWithdrawal(
      { commit, now, after }: UnitOfWork,
      { issuer, test, key }: { issuer: { id: string }; test: boolean; key: { id: string } },
      document: string,
    ): void {
      if (test) return;
      const [at, expires_at] = [isoAfter(now, 0), isoAfter(now, HOUR_MS)];
      keyWithdrawals.set(commit, { key: key.id, at, document, expires_at }, now);
      after(() =>
        asSite(() => countWithdrawals(issuer.id, key.id))
          .catch(() => log({ level: "warn", event: "key_withdrawals_not_counted" }))
      );
    },
  };
}

function textsOf(
  use: Unusual,
  issuer: string,
): { title: string; fact: readonly [string, string] } {
  return use.what === "network"
    ? {
      title: `An API key of ${issuer} was used from a new network`,
      fact: ["Network", use.network],
    }
    : {
      title: `An API key of ${issuer} has withdrawn many documents`,
      fact: ["Withdrawn", `more than ${MOST_WITHDRAWN} documents within an hour`],
    };
}
