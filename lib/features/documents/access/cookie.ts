/**
 * The cookie with which a browser reads the documents whose links it has opened.
 *
 * @module
 */
import { cookieValues } from "../../../platform/http/cookies.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { isLive, isoAfter } from "../../../platform/kv/mod.ts";
import { SECOND_MS } from "../../../base/time.ts";
import { formatDocumentId } from "../ids.ts";
import { shareName, type ShareRow, shares } from "./share_rows.ts";

/** The access that a link gives a browser. */
export interface Grant {
  /** Identifies the request that was approved, or the holder's link. It is not a secret. */
  id: string;
  /** Names it in the access log. */
  name: string;
  /** The id of the document. */
  document: string;
  /** The hash of the record. */
  record: string;
  /** ISO 8601 in UTC. */
  expires_at: string;
}

/** The reading of a document in a browser that opened a link to it. */
export interface SharedReading {
  /** The id of the document. */
  document: string;
  /** SHA-256 of the link's code. */
  share: string;
  /** Milliseconds since 1970, not after the link's end. */
  end: number;
}

const COOKIE = "document_share";

/** The most documents in one browser. */
const MAX_READINGS = 10;

const READING = /^([0-9A-Z]{16})-([0-9a-f]{64})-(\d{1,16})-[\w-]{43}$/;

const signedText = ({ document, share, end }: SharedReading) => [document, share, end].join("\n");

/** Returns the readings in the cookie as their texts, newest first. */
function readingsOf(request: Request): string[] {
  const values = cookieValues(request, COOKIE);
  if (values.length !== 1) return [];
  return values[0].split(".", MAX_READINGS).filter((text) => READING.test(text));
}

/** Returns the ids of the documents that the browser of a request says it may read. */
export const documentsOfReadings = (request: Request): string[] =>
  readingsOf(request).map((text) => READING.exec(text)![1]);

/**
 * Returns the `Set-Cookie` value with which a browser reads a document. Its other readings are kept until they
 * end.
 */
export async function readingCookie(
  secrets: Pick<Secrets, "sign">,
  request: Request,
  reading: SharedReading,
  now: number,
): Promise<string> {
  const { document, share, end } = reading;
  const signature = await secrets.sign("document-share", signedText(reading));
  const others = readingsOf(request).filter((text) =>
    !text.startsWith(`${document}-${share}-`) && now < endOf(text)
  );
  const value = [`${document}-${share}-${end}-${signature}`, ...others].slice(0, MAX_READINGS);
  const last = Math.max(...value.map(endOf));
  const maxAge = Math.ceil((last - now) / SECOND_MS);
  return `${COOKIE}=${value.join(".")}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
}

const endOf = (text: string) => Number(READING.exec(text)![3]);

/**
 * Returns what a link gives the browser of a request for a document; null if it gives nothing. The link is
 * read each time, so that ending it takes effect at once.
 *
 * @param share the link, if it must be this one
 */
export async function findReading(
  { kv, secrets }: { kv: Deno.Kv; secrets: Pick<Secrets, "verify"> },
  request: Request,
  { document, share }: { document: string; share?: string },
  now: number,
): Promise<Grant | null> {
  const start = share === undefined ? `${document}-` : `${document}-${share}-`;
  const texts = readingsOf(request).filter((text) => text.startsWith(start) && now < endOf(text));
  const signed = await Promise.all(texts.map(async (text) => {
    const signature = text.slice(-43);
    const reading = { document, share: READING.exec(text)![2], end: endOf(text) };
    return await secrets.verify("document-share", signedText(reading), signature) ? reading : null;
  }));
  const readings = signed.filter((reading) => reading !== null);
  if (readings.length === 0) return null;
  const rows = await shares.getMany(kv, readings.map((each): [string] => [each.share]));
  for (const { value: row } of rows) {
    if (!isLive(row, now) || row.ended_at !== null || row.person?.replaced) continue;
    const { end } = readings.find((each) => each.share === row.hash)!;
    return { ...namesOf(row), document, record: row.record, expires_at: isoAfter(end, 0) };
  }
  return null;
}

/** A new link of a person continues what the earlier ones gave. */
const namesOf = ({ hash, person }: ShareRow): Pick<Grant, "id" | "name"> =>
  person === null
    ? { id: hash, name: `the link ${shareName({ hash })}` }
    : { id: person.request, name: `the grant ${formatDocumentId(person.request)}` };
