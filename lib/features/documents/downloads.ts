import { encodeBase64Url } from "../../base/encoding.ts";
import { type Expiring, expiring, isLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import { HOUR_MS } from "../../base/time.ts";
import type { ByteRange } from "./bytes.ts";

/** How long a counted download can be resumed. */
export const RESUME_LIFETIME_MS = HOUR_MS;

/** The most separate parts of one download. Parts that touch are one. */
const MAX_PARTS = 50;

/**
 * The row `["document_downloads", blob, entity tag]`: a counted download, of which the same reader may
 * be sent every byte once more, in parts. A part that was sent before counts as a new download.
 */
interface DownloadRow extends Expiring {
  /** The id of the grant, or `administrator`. */
  reader: string;
  /** In order, without overlaps. */
  sent: ByteRange[];
}

/** A download of one reader. */
export interface Download {
  /** The id of the file's bytes. */
  blob: string;
  /** The entity tag, with its quotation marks, which only this reader was sent. */
  tag: string;
  reader: string;
}

const PREFIX = "document_downloads";
const TAG = /^"[\w-]{22}"$/;
const keyOf = ({ blob, tag }: Download): Deno.KvKey => [PREFIX, blob, tag];

/** The key that counts how often a page has loaded the file that it shows, with the ticket of this id. */
export const loadsKey = (blob: string, ticketId: string): Deno.KvKey => [PREFIX, blob, ticketId];

/** Returns a random entity tag (RFC 9110, section 8.8.3). */
export const newTag = (): string =>
  `"${encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)))}"`;

/** Returns whether a download can be resumed. The tag may be any text. */
export async function canResume(kv: Deno.Kv, download: Download, now: number): Promise<boolean> {
  if (!TAG.test(download.tag)) return false;
  const { value } = await kv.get<DownloadRow>(keyOf(download));
  return isOf(download, value, now);
}

/**
 * Marks a part of a download as sent.
 *
 * @returns false if it must be counted: some of it was sent before, or the download can no longer be
 * resumed
 */
export const takePart = (
  kv: Deno.Kv,
  download: Download,
  part: ByteRange,
  now: number,
): Promise<boolean> =>
  transact(async () => {
    const entry = await kv.get<DownloadRow>(keyOf(download));
    const row = entry.value;
    const sent = isOf(download, row, now) ? withPart(row.sent, part) : null;
    if (sent === null) return { result: false };
    const after = { ...row, sent } as DownloadRow;
    const commit = kv.atomic().check(entry).set(entry.key, after, expiring(after, now));
    return { result: true, commit };
  });

/**
 * Adds a counted download to a commit. If the reader has its tag already, its parts start over.
 *
 * @param part null if the whole file is sent
 */
export function addDownload(
  commit: Deno.AtomicOperation,
  download: Download,
  part: ByteRange | null,
  now: number,
): void {
  const row: DownloadRow = {
    reader: download.reader,
    sent: part === null ? [] : [part],
    expires_at: isoAfter(now, RESUME_LIFETIME_MS),
  };
  commit.set(keyOf(download), row, expiring(row, now));
}

/** Deletes the downloads of a file. */
export async function deleteDownloads(kv: Deno.Kv, blob: string): Promise<void> {
  for await (const { key } of kv.list({ prefix: [PREFIX, blob] })) {
    await kv.delete(key);
  }
}

const isOf = (
  { reader }: Download,
  row: DownloadRow | null,
  now: number,
): row is DownloadRow => row !== null && row.reader === reader && isLive(row, now);

/** Adds a part to those that were sent; null if they overlap, or are too many. */
function withPart(sent: readonly ByteRange[], part: ByteRange): ByteRange[] | null {
  const before = sent.filter(({ to }) => to <= part.from);
  const after = sent.filter(({ from }) => from >= part.to);
  if (before.length + after.length < sent.length) return null;
  const parts = [...before, part, ...after].reduce<ByteRange[]>((merged, next) => {
    const last = merged.at(-1);
    return last?.to === next.from
      ? [...merged.slice(0, -1), { from: last.from, to: next.to }]
      : [...merged, next];
  }, []);
  return parts.length > MAX_PARTS ? null : parts;
}
