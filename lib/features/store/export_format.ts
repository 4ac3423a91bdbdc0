/** The lines of a database export: their schemas, and how rows are written and read. */
import * as z from "zod";
import { isoAfter } from "../../platform/kv/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { StoredRow } from "./file_rows.ts";
import { jsonKeySchema, keyFromJson, keyToJson } from "./json_key.ts";
import { fromJson, toJson } from "./json_value.ts";

/**
 * The format of an export: JSON lines in UTF-8. The first line is the header, the last one the footer,
 * and each line between them is a row of the store, in the order of the keys.
 */
export const EXPORT_FORMAT = 2;

/** The longest line: a value of 64 KiB takes up to six characters per byte as escaped text. */
export const MAX_LINE_BYTES = 1024 * 1024;

export const headerSchema = z.object({
  gatehouse_export: z.int().min(1),
  /** The format of the store; null in exports from before stores had one. */
  store_format: z.int().nullable(),
  /** The revision of the exporting build. */
  revision: z.string().nullable(),
  store: z.object({ id: z.string(), created_at: z.string() }).nullable(),
  exported_at: z.iso.datetime(),
  /** The host that signs the chains. */
  trust_host: z.string(),
  /** True if all rows are from the same moment. */
  snapshot: z.boolean(),
});

export type ExportHeader = z.infer<typeof headerSchema>;

export const footerSchema = z.object({
  rows: z.int().min(0),
  /** SHA-256 of all lines before this one, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const instantSchema = z.iso.datetime().transform((time) => Date.parse(time));

export function rowToLine({ key, value, expires }: StoredRow): string {
  const row = JSON.stringify({
    key: keyToJson(key),
    ...expires === null ? {} : { expires: hourAfter(expires) },
  });
  return `${row.slice(0, -1)},"devalue":${toJson(value)}}`;
}

/**
 * Returns the row of a line.
 *
 * @throws {Error} for a line that {@link rowToLine} does not return
 */
export function rowFromLine(line: string): StoredRow {
  const { key, expires: hour, devalue } = JSON.parse(line);
  const value = fromJson(devalue);
  const expires = hour === undefined ? null : deletedAt(instantSchema.parse(hour), value);
  return { key: keyFromJson(jsonKeySchema.parse(key)), value, expires };
}

/**
 * Returns the next full hour. The store adds the duration of a commit to every expiry, so exact times
 * would differ between two exports of the same rows.
 */
const hourAfter = (time: number) => isoAfter(0, (Math.floor(time / HOUR_MS) + 1) * HOUR_MS);

/** Returns a time that {@link hourAfter} maps to `hour`, but not before the value has expired. */
const deletedAt = (hour: number, value: unknown) =>
  Math.max(hour - MINUTE_MS, Math.min(expiryIn(value) ?? 0, hour));

/** Returns the `expires_at` of a value, in milliseconds since 1970. */
export function expiryIn(value: unknown): number | undefined {
  const { expires_at } = Object(value);
  const time = typeof expires_at === "string" ? Date.parse(expires_at) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
