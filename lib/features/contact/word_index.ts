/** Finding the records that contain all words of a search. */
import { z } from "zod";
import type { Secrets } from "../../base/secrets.ts";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";
import { readByTime, type TimeKey, type TimeRange } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ownerOf } from "./owner.ts";
import { beginningOf, isShort, tokenOf, tokensOf, type WordToken } from "../../base/words.ts";

/** The part of a contact whose words are indexed. */
export interface Named {
  record: { name: string; organisation?: string | undefined };
  organisation?: OrganisationKey;
  registered_at: string;
}

/**
 * Finds records by the words of a name and an organisation. The keys contain an HMAC of the word and of
 * the console's organisation, so without `APP_SECRET` nobody can compute a word from them.
 */
export interface WordIndex {
  /** Adds the words of a record, in the commit from which on it is in force. */
  add(commit: Deno.AtomicOperation, hash: string, contact: Named): Promise<void>;
  /** Removes the words of a record, under every configured secret or only the older ones. */
  remove(
    commit: Deno.AtomicOperation,
    hash: string,
    contact: Named,
    which?: "all" | "older",
  ): Promise<void>;
  /** Returns the HMACs of a record's words with every configured secret. */
  macsOf(contact: Named): Promise<string[]>;
  /**
   * Reads the records that have all words, in batches. A word that no record has as a whole is looked
   * up by its first letters, or not at all if it is short, so the caller tests the records with
   * `haveWords`.
   *
   * @param words at least one of which is not short
   */
  find(
    organisation: OrganisationKey,
    words: readonly string[],
    range?: TimeRange,
  ): AsyncGenerator<FoundBatch>;
}

/** Records that were found together. */
export interface FoundBatch {
  places: TimeKey[];
  /** The number of rows that were read. */
  read: number;
  /** Continues after this batch; null if it is the last one. */
  next: TimeKey | null;
}

export const contactWords = defineTable({
  prefix: "contacts_by_word",
  value: z.literal(true),
  key: ["mac", "registered_at", "hash"],
  owner: "record",
  lifetime: WITH_RECORD,
  per: "word of a name or organisation",
  privacy: {
    section: "enquiry",
    label: "Search",
    text:
      "Keyed fingerprints of the words of your name and organisation, and of the first letters " +
      "of each word, so that our administrators can find your record. Nobody can compute a word " +
      "from them without our secret key, but they show which records have a word in common. We " +
      "delete them with the record.",
  },
});

type Batched = TimeRange & { first: number };

/** How many rows of each word are read together, after the first time. */
const BATCH = 100;

export function createWordIndex({ kv, secrets }: { kv: Deno.Kv; secrets: Secrets }): WordIndex {
  const textOf = (organisation: OrganisationKey, token: WordToken) =>
    `word:${organisation}:${token}`;
  const macs = (organisation: OrganisationKey, token: WordToken) =>
    secrets.signatures("contact-index", textOf(organisation, token));
  const tokensOfRecord = ({ record: { name, organisation = "" } }: Named) =>
    tokensOf([name, organisation]);

  /** Reads the rows of a word under every secret, in one order. */
  async function read(macs: readonly string[], range: Batched): Promise<TimeKey[]> {
    const found = await Promise.all(macs.map(async (mac) => {
      for await (
        const { entries } of readByTime(kv, [contactWords.prefix, mac], range)
      ) return entries.map(({ key }): TimeKey => [String(key[2]), String(key[3])]);
      return [];
    }));
    const places = new Map(found.flat().map((place) => [place.join("_"), place]));
    const sorted = [...places].sort(([a], [b]) => (a < b) === Boolean(range.oldestFirst) ? -1 : 1);
    return sorted.slice(0, range.first).map(([, place]) => place);
  }

  /** Returns the signatures of a word, and the first rows that have it; none if it has no rows of its own. */
  async function lookUp(organisation: OrganisationKey, word: string, range: Batched) {
    const whole = await macs(organisation, tokenOf(word));
    const places = await read(whole, range);
    // The word may be earlier in the list, or in a record outside the period.
    if (places.length > 0 || await exists(whole)) return [{ macs: whole, places }];
    const beginning = beginningOf(word);
    if (beginning === null) return isShort(word) ? [] : [{ macs: whole, places }];
    const first = await macs(organisation, beginning);
    return [{ macs: first, places: await read(first, range) }];
  }

  async function exists(macs: readonly string[]): Promise<boolean> {
    const rows = await Promise.all(
      macs.map((mac) => Array.fromAsync(contactWords.list(kv, [mac], { limit: 1 }))),
    );
    return rows.flat().length > 0;
  }

  /** Returns the places that are also in the rows of another word. */
  async function keepThose(places: readonly TimeKey[], macs: readonly string[]) {
    const keys = places.flatMap((place) => macs.map((mac) => contactWords.key(mac, ...place)));
    const entries = keys.length === 0 ? [] : await kv.getMany(keys);
    const has = new Set(
      entries.filter(({ versionstamp }) => versionstamp !== null).map(({ key }) => String(key[3])),
    );
    return { kept: places.filter(([, hash]) => has.has(hash)), read: keys.length };
  }

  return {
    async add(commit, hash, contact) {
      for (const token of tokensOfRecord(contact)) {
        const current = await secrets.sign("contact-index", textOf(ownerOf(contact), token));
        contactWords.put(commit, [current, contact.registered_at, hash], true);
      }
    },
    async remove(commit, hash, contact, which = "all") {
      for (const token of tokensOfRecord(contact)) {
        const signatures = await macs(ownerOf(contact), token);
        for (const mac of which === "all" ? signatures : signatures.slice(1)) {
          commit.delete(contactWords.key(mac, contact.registered_at, hash));
        }
      }
    },
    async macsOf(contact) {
      const tokens = [...tokensOfRecord(contact)];
      return (await Promise.all(tokens.map((token) => macs(ownerOf(contact), token)))).flat();
    },
    async *find(organisation, words, { first = BATCH, ...given } = {}) {
      let range: Batched = { ...given, first };
      const found = (await Promise.all(words.map((word) => lookUp(organisation, word, range))))
        .flat();
      if (found.some(({ places }) => places.length === 0)) {
        yield { places: [], read: first, next: null };
        return;
      }
      // The rarest word leads: its rows end first, or those of one batch span the longest time.
      const [rarest, ...others] = found.toSorted((a, b) =>
        reach(b.places, range) < reach(a.places, range) ? -1 : 1
      );
      let { places } = rarest;
      while (true) {
        let [kept, rows] = [places, places.length];
        for (const { macs } of others) {
          const both = await keepThose(kept, macs);
          kept = both.kept;
          rows += both.read;
        }
        const next = places.length < range.first ? null : places.at(-1)!;
        yield { places: kept, read: rows, next };
        if (next === null) return;
        range = { ...range, after: next, first: BATCH };
        places = await read(rarest.macs, range);
      }
    },
  };
}

/** Returns how far a batch reaches in its order; infinite if it is the last one. */
function reach(places: readonly TimeKey[], { first, oldestFirst = false }: Batched): number {
  if (places.length < first) return Infinity;
  const at = Date.parse(places.at(-1)![0]);
  return oldestFirst ? at : -at;
}
