import { z } from "zod";
import { byteStoreName } from "./bytes.ts";

/** A stored file. It never changes: a change creates a new file. */
export const storedFile = z.strictObject({
  /** The random id of the bytes. Files with equal bytes do not share them. */
  blob: z.string(),
  store: byteStoreName,
  /** 64 hexadecimal digits. */
  sha256: z.string(),
  size: z.number(),
  /** Determined from the bytes, never by the browser that uploaded them. */
  media_type: z.string(),
});
export type StoredFile = z.infer<typeof storedFile>;

/** A file of a version: as it was uploaded, or as it was issued. */
export type DocumentForm = "original" | "issued";

/** The version of a file, on which the name of a download depends. */
export interface NamedVersion {
  file_name: string;
  /** Null if the version has no issued copy. */
  issued: object | null;
}
