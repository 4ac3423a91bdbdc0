/** The search for records by name, address, number or hash. */
import { unmarked } from "../../../base/pasted.ts";
import {
  areSearchable,
  type ContactIndex,
  contacts,
  type FoundBatch,
  haveWords,
  internationalNumber,
  ownerOf,
  type StoredContact,
  wordsOf,
} from "../../contact/mod.ts";
import { normaliseEmail } from "../../../base/email.ts";
import type { TimeKey, TimeRange } from "../../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";

/**
 * The most records that are found by an address, a number or the beginning of a hash. All of them are read to
 * sort them, so it is more than anybody needs, but as few as a page may read.
 */
const MOST_FOUND = 500;
const HASH_BEGINNING = /^[\da-f]{4,64}$/;
/** Pages show eight digits of a hash. Shorter texts are words first. */
const SHOWN_DIGITS = 8;
/** A hexadecimal text of this length is the beginning of a hash, and nothing else. */
const HASH_ONLY = 16;
const NUMBER = /^\+[\d\s().-]{6,30}$/;

/** The things that a text can name, most likely first. */
type Reading =
  | { kind: "hash"; beginning: string }
  | { kind: "email"; email: string }
  | { kind: "mobile"; mobile: string }
  | { kind: "words"; words: string[] };

function readingsOf(text: string): Reading[] {
  const trimmed = unmarked(text);
  if (trimmed.includes("@")) {
    const email = normaliseEmail(trimmed);
    return email === null ? [] : [{ kind: "email", email }];
  }
  if (NUMBER.test(trimmed)) {
    const mobile = internationalNumber(trimmed) ?? `+${trimmed.replace(/\D/g, "")}`;
    return [{ kind: "mobile", mobile }];
  }
  const words = wordsOf(trimmed);
  const byWords: Reading[] = areSearchable(words) ? [{ kind: "words", words }] : [];
  const beginning = trimmed.toLowerCase();
  if (!HASH_BEGINNING.test(beginning)) return byWords;
  const byHash = { kind: "hash", beginning } as const;
  if (beginning.length >= HASH_ONLY) return [byHash];
  return beginning.length >= SHOWN_DIGITS ? [byHash, ...byWords] : [...byWords, byHash];
}

/** Why a text cannot be searched for; null if it can. */
export function searchIssue(text: string): string | null {
  if (readingsOf(text).length > 0) return null;
  return text.includes("@")
    ? "Enter the whole address."
    : "Enter at least three letters of one of the words.";
}

/** Returns a function that tests whether a contact has the words of a search. */
export function wordTest(text: string): (contact: StoredContact) => boolean {
  const words = wordsOf(text);
  return ({ record: { name, organisation = "" } }) => haveWords([name, organisation], words);
}

interface Searched {
  kv: Deno.Kv;
  index: ContactIndex;
}

/** Records that were found. */
interface SearchBatch extends FoundBatch {
  /** True if the caller must test the records with {@link wordTest}. */
  byWords: boolean;
}

/**
 * Finds an organisation's records by a whole address or confirmed number, the beginning of a hash, or
 * words of the name and organisation. It reads keyed indexes, and never all contacts.
 */
export async function* search(
  { kv, index }: Searched,
  organisation: OrganisationKey,
  text: string,
  range: TimeRange,
): AsyncGenerator<SearchBatch> {
  const readings = readingsOf(text);
  for (const reading of readings) {
    let found = false;
    if (reading.kind === "words") {
      for await (const batch of index.words.find(organisation, reading.words, range)) {
        // Words are found by their first letters too, and a hash may begin with the same ones.
        found ||= reading === readings.at(-1) || await haveSome(kv, batch.places, text);
        yield { ...batch, byWords: true };
      }
    } else {
      const hashes = await hashesOf({ kv, index }, reading);
      const places = await placesOf(kv, organisation, hashes, range);
      found = places.length > 0;
      yield { places, read: hashes.length, next: null, byWords: false };
    }
    if (found) return;
  }
}

/** Returns whether one of the records has the words of a search. */
async function haveSome(kv: Deno.Kv, places: readonly TimeKey[], text: string): Promise<boolean> {
  const found = await contacts.getMany(kv, places.map(([, hash]): [string] => [hash]));
  const test = wordTest(text);
  return found.some(({ value }) => test(value));
}

async function hashesOf(
  { kv, index }: Searched,
  reading: Exclude<Reading, { kind: "words" }>,
): Promise<string[]> {
  switch (reading.kind) {
    case "email": {
      const fields = ["email", "unconfirmed_email"] as const;
      const found = await Promise.all(
        fields.map((field) => index.find(field, reading.email, MOST_FOUND)),
      );
      return [...new Set(found.flat())];
    }
    case "mobile":
      return await index.find("mobile", reading.mobile, MOST_FOUND);
    case "hash": {
      const { beginning } = reading;
      const range = { start: ["contacts", beginning], end: ["contacts", `${beginning}g`] };
      const rows = kv.list(range, { limit: MOST_FOUND, batchSize: MOST_FOUND });
      return await Array.fromAsync(rows, ({ key }) => String(key[1]));
    }
  }
}

/** Returns the places of an organisation's records in the list, within a range and in its order. */
async function placesOf(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  hashes: readonly string[],
  { from = "", to, after, oldestFirst = false }: TimeRange,
): Promise<TimeKey[]> {
  const found = await contacts.getMany(kv, hashes.map((hash): [string] => [hash]));
  const order = oldestFirst ? 1 : -1;
  const compare = (a: TimeKey, b: TimeKey) => order * (a.join("_") < b.join("_") ? -1 : 1);
  return found.filter(({ value: { registered_at: at, ...contact } }) =>
    ownerOf(contact) === organisation && at >= from && (to === undefined || at <= `${to}Z`)
  ).map(({ key, value }): TimeKey => [value.registered_at, String(key[1])])
    .filter((place) => after === undefined || compare(place, after) > 0 && place[1] !== after[1])
    .sort(compare);
}
