import { cookieValues } from "../../platform/http/cookies.ts";
import type { Secrets } from "../../base/secrets.ts";
import { isoAfter } from "../../platform/kv/mod.ts";
import { SECOND_MS } from "../../base/time.ts";
import type { Grant } from "./grants.ts";
import { SHARED_READING_MS, shareName, shares } from "./share_rows.ts";

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

/** Returns the readings in the cookie as their texts, newest first: one per document. */
function readingsOf(request: Request): string[] {
  const values = cookieValues(request, COOKIE);
  if (values.length !== 1) return [];
  return values[0].split(".", MAX_READINGS).filter((text) => READING.test(text));
}

/** Returns the ids of the documents that the browser of a request says it may read. */
export const documentsOfReadings = (request: Request): string[] =>
  readingsOf(request).map((text) => READING.exec(text)![1]);

/**
 * Returns the `Set-Cookie` value with which a browser reads a document. Its readings of other
 * documents are kept.
 */
export async function readingCookie(
  secrets: Pick<Secrets, "sign">,
  request: Request,
  reading: SharedReading,
): Promise<string> {
  const { document, share, end } = reading;
  const signature = await secrets.sign("document-share", signedText(reading));
  const others = readingsOf(request).filter((text) => !text.startsWith(`${document}-`));
  const value = [`${document}-${share}-${end}-${signature}`, ...others].slice(0, MAX_READINGS);
  const maxAge = SHARED_READING_MS / SECOND_MS;
  return `${COOKIE}=${value.join(".")}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`;
}

/**
 * Returns what a shared link gives the browser of a request for a document; null if it gives nothing.
 * The link is read each time, so that ending it takes effect at once.
 */
export async function findSharedReading(
  { kv, secrets }: { kv: Deno.Kv; secrets: Pick<Secrets, "verify"> },
  request: Request,
  document: string,
  now: number,
): Promise<Grant | null> {
  const text = readingsOf(request).find((each) => each.startsWith(`${document}-`));
  if (text === undefined) return null;
  const [, , share, endText] = READING.exec(text)!;
  const end = Number(endText);
  const signature = text.slice(-43);
  if (now >= end) return null;
  const signed = signedText({ document, share, end });
  if (!await secrets.verify("document-share", signed, signature)) return null;
  const row = (await shares.getLive(kv, now, share))?.value;
  if (row === undefined || row.ended_at !== null) return null;
  return {
    id: share,
    name: `the link ${shareName(row)}`,
    document,
    record: row.record,
    expires_at: isoAfter(end, 0),
  };
}
