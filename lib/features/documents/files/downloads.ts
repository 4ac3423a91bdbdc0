/**
 * The counted downloads, of which a reader may fetch every byte once more.
 *
 * @module
 */
import { z } from "zod";
import { encodeBase64Url } from "../../../base/encoding.ts";
import {
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  windowLog,
} from "../../../platform/kv/mod.ts";
import { HOUR_MS, inMinutes } from "../../../base/time.ts";
import type { ByteRange } from "./bytes.ts";

/** How long a counted download can be resumed. */
export const RESUME_LIFETIME_MS = HOUR_MS;

/** The most separate parts of one download. Parts that touch are one. */
const MAX_PARTS = 50;

/**
 * A counted download. The same reader may be sent every byte once more, in parts. A part that was sent
 * before counts as a new download.
 */
const downloadRow = z.strictObject({
  /** The id of the grant, or `administrator`. */
  reader: z.string(),
  /** The parts that were sent, in order and without overlaps. */
  sent: z.array(z.strictObject({ from: z.number(), to: z.number() })),
  ...EXPIRING,
});
type DownloadRow = z.infer<typeof downloadRow>;

export interface Download {
  /** The id of the file's bytes. */
  blob: string;
  /** The entity tag, with its quotation marks, which only this reader was sent. */
  tag: string;
  reader: string;
}

const TAG = /^"[\w-]{22}"$/;

/**
 * Counted downloads by their entity tags, and how often pages have loaded the files that they show, by
 * the ids of their tickets.
 */
export const downloads = defineTable({
  prefix: "document_downloads",
  value: z.union([downloadRow, windowLog]),
  key: ["blob", "tag"],
  owner: "nobody",
  lifetime: expires(inMinutes(RESUME_LIFETIME_MS)),
  per: "counted download, and view",
  privacy: {
    section: "open_document",
    label: "Downloads and views",
    text: "For each download, a random number that your browser gets with the file, the number " +
      "of the grant, and which parts of the file were sent when the download was resumed. For " +
      "each view, a random number that your browser gets with the page, and when the page " +
      `loaded the file. We keep them for ${inMinutes(RESUME_LIFETIME_MS)}.`,
  },
});

/** Returns a random entity tag (RFC 9110, section 8.8.3). */
export const newTag = (): string =>
  `"${encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)))}"`;

/** Returns whether a download can be resumed. The tag may be any text. */
export async function canResume(kv: Deno.Kv, download: Download, now: number): Promise<boolean> {
  if (!TAG.test(download.tag)) return false;
  const { value } = await downloads.get(kv, download.blob, download.tag);
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
    const entry = await downloads.get(kv, download.blob, download.tag);
    const row = entry.value;
    const sent = isOf(download, row, now) ? withPart(row.sent, part) : null;
    if (sent === null) return { result: false };
    const commit = kv.atomic().check(entry);
    downloads.put(commit, [download.blob, download.tag], { ...row!, sent } as DownloadRow, now);
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
  downloads.put(commit, [download.blob, download.tag], row, now);
}

export async function deleteDownloads(kv: Deno.Kv, blob: string): Promise<void> {
  for await (const { key } of downloads.list(kv, [blob])) await kv.delete(key);
}

const isOf = (
  { reader }: Download,
  row: DownloadRow | z.infer<typeof windowLog> | null,
  now: number,
): row is DownloadRow =>
  row !== null && "reader" in row && row.reader === reader && isLive(row, now);

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
