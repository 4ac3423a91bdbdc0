/** The search of the trust surface: where a number, hash or address leads. */
import { decodeHex } from "../../../base/bytes.ts";
import { unmarked } from "../../../base/pasted.ts";
import { fail, type Failure, type RateLimited } from "../../../base/result.ts";
import { eventSlot, findHash } from "../../../../packages/proof/mod.ts";
import {
  type Checker,
  type Checks,
  documentPath,
  findDocumentId,
  findSha256,
} from "../../documents/mod.ts";
import { indexOfSlot, type Neighbours, readNeighbours } from "../../log/mod.ts";
import { findKey } from "../../records/mod.ts";

/** The longest text that is looked at. */
export const MAX_FOUND_TEXT = 500;

/** The part of `Chains` that finding needs. */
type Heads = { head(hash: string): Promise<{ size: number } | null> };

/**
 * A page of this site, or a code that is posted to one, because a key or the code of a shared link must not be
 * in an address. `code`: it may be either.
 */
export type Place =
  | { at: "page"; path: string }
  | { at: "key" | "link" | "code"; code: string };

/**
 * Returns where a text leads: the number of a document, the hash of a record or a file, a key, the number of an
 * entry in the public log, or the address of one of their pages. The path is always one of this site's own,
 * whatever host the address names.
 */
export async function findPlace(
  { chains }: { chains: Heads },
  input: string,
): Promise<{ ok: true; place: Place } | Failure<"invalid_request">> {
  const text = unmarked(input.slice(0, MAX_FOUND_TEXT));
  const toPage = (path: string) => ({ ok: true as const, place: { at: "page" as const, path } });
  const code = findKey(text);
  if (code !== null) {
    const page = /\/([ks])\/?#/i.exec(text)?.[1].toLowerCase();
    const at = page === "k" ? "key" : page === "s" ? "link" : "code";
    return { ok: true, place: { at, code } };
  }
  const document = findDocumentId(text);
  if (document !== null) return toPage(documentPath(document));
  const entry = entryNumber(text);
  if (entry !== null) return toPage(`/log?find=${entry}#find`);
  const hash = findHash(text);
  if (hash !== undefined) {
    const isRecord = !/[?&]sha256=/i.test(text) && await chains.head(hash) !== null;
    return toPage(isRecord ? `/verify?hash=${hash}` : `/check?sha256=${hash}`);
  }
  return fail("invalid_request", { message: problemOf(text) });
}

/** Says what is wrong with a text that leads nowhere. */
function problemOf(text: string): string {
  const hash = findSha256(text);
  return !hash.ok && /^[\da-f\s:-]{24,}$/i.test(text)
    ? hash.message
    : "This is not one of our numbers, hashes, keys or links. A document’s number has 16 digits and letters, " +
      "a key 26, a hash 64.";
}

/** Returns the number in `9`, `Entry 1,234` or the address of an entry; null if it is none. */
function entryNumber(text: string): number | null {
  const found = /^(?:entry\s+)?(\d{1,3}(?:,\d{3})+|\d{1,15})$/i.exec(text)?.[1] ??
    /\/log\?find=(\d{1,15})(?:#|$)/i.exec(text)?.[1];
  return found === undefined ? null : Number(found.replaceAll(",", ""));
}

/** An entry of the public log, and the thing that it is about, as far as the text says. */
export interface FoundEntry extends Neighbours {
  of: "record" | "document" | "entry";
  /** The hash of the record or file by which it was found; null if it was found by itself. */
  hash: string | null;
}

/**
 * Finds an entry of the public log: by its number, by its slot, as the newest one of a record by the record's
 * hash, or as that of a document by the hash of its file. A document that may not be confirmed to the reader is
 * not found.
 */
export async function findEntry(
  { kv, chains, checks }: { kv: Deno.Kv; chains: Heads; checks: Checks },
  input: string,
  asker: { clientAddress: string; checker: Checker },
): Promise<
  | { ok: true; found: FoundEntry }
  | Failure<"invalid_request" | "not_found">
  | RateLimited
> {
  const text = unmarked(input.slice(0, MAX_FOUND_TEXT));
  const show = async (of: FoundEntry["of"], index: number | null, hash: string | null = null) => {
    const found = index === null ? null : await readNeighbours(kv, index);
    return found === null ? fail("not_found", { message: NOT_FOUND[of] }) : {
      ok: true as const,
      found: { ...found, of, hash },
    };
  };
  const number = entryNumber(text);
  if (number !== null) return await show("entry", number);
  const hash = findHash(text);
  if (hash === undefined) {
    return fail("invalid_request", {
      message: "Enter the hash of a record or a file, which has 64 hexadecimal digits, or the " +
        "number of an entry.",
    });
  }
  const head = await chains.head(hash);
  if (head !== null) {
    return await show("record", await indexOfSlot(kv, eventSlot(hash, head.size)), hash);
  }
  const index = await indexOfSlot(kv, decodeHex(hash));
  if (index !== null) return await show("entry", index);
  const checked = await checks.lookUp({ sha256: hash, ...asker });
  if (!checked.ok) return checked;
  const entries = checked.report.matches[0]?.log?.statements;
  return await show("document", entries?.at(-1)?.index ?? null, hash);
}

const NOT_FOUND: Record<FoundEntry["of"], string> = {
  entry: "The published log does not have this entry.",
  record:
    "The log does not have the newest event of this record yet. That is normal for 10 minutes.",
  document:
    "The log has nothing with this hash that may be shown to you. A new entry takes up to " +
    "10 minutes.",
};
