/** Searches payments by the words of their description and payer. */
import {
  beginningOf,
  haveWords,
  isShort,
  tokenOf,
  wordsOf,
  type WordToken,
} from "../../base/words.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type AmountKey, readNewest } from "./amounts.ts";
import { BY_WORD, type Payment, textsOf } from "./rows.ts";

/** How many payments with a word are read, the newest first. */
const MOST_BY_WORD = 100;

/**
 * Finds payments by the beginnings of all words of a text, among the newest with the rarest of the words.
 *
 * @returns `complete` is false if there are more payments with that word than were read
 */
export async function findByWords(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  text: string,
  now: number,
): Promise<{ payments: Payment[]; complete: boolean }> {
  const words = wordsOf(text);
  const keysOf = (token: WordToken) =>
    Array.fromAsync(
      kv.list({ prefix: [BY_WORD, organisation, token] }, {
        limit: MOST_BY_WORD,
        batchSize: MOST_BY_WORD,
        reverse: true,
      }),
      ({ key }) => key.slice(-3) as AmountKey,
    );
  const found = await Promise.all(
    words.filter((word) => !isShort(word)).map(async (word) => {
      const beginning = beginningOf(word);
      const [whole, longer] = await Promise.all([
        keysOf(tokenOf(word)),
        beginning === null ? [] : keysOf(beginning),
      ]);
      const keys = new Map([...whole, ...longer].map((key) => [key.join(), key]));
      const complete = Math.max(whole.length, longer.length) < MOST_BY_WORD;
      return { keys: [...keys.values()], complete };
    }),
  );
  const [rarest] = found.sort((a, b) => a.keys.length - b.keys.length);
  if (rarest === undefined) return { payments: [], complete: true };
  const payments = await readNewest(kv, rarest.keys, now);
  return {
    payments: payments.filter((payment) => haveWords(textsOf(payment), words)),
    complete: rarest.complete,
  };
}
