/**
 * The uploaded files that wait for an administrator's answer.
 *
 * @module
 */
import { z } from "zod";
import { decodeBase64Url, encodeBase64Url, utf8 } from "../../../base/encoding.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { isLive } from "../../../platform/kv/mod.ts";
import { storedFile } from "./stored_file.ts";
import { type UploadedFile, uploadMarkers } from "./uploads.ts";

/** A file that was uploaded, with the name that it had in the browser. */
export interface StagedFile extends UploadedFile {
  name: string;
}

/** The bytes of a new version, in memory or as they arrive, or a file that was uploaded before. */
export type NewContent = Uint8Array | ReadableStream<Uint8Array> | StagedFile;

/**
 * Uploaded files that wait for an administrator's answer, so that nobody has to choose them again. The
 * form carries a reference, which is encrypted and works only for the person who uploaded the file.
 * As for every upload, the job removes the bytes if nothing comes of it.
 */
export interface StagedFiles {
  /** @param by the administrator's email address */
  refer(file: StagedFile, by: string): Promise<string>;
  /** Returns the file of a reference; null if it was removed or used, or if somebody else uploaded it. */
  find(reference: string, by: string): Promise<StagedFile | null>;
}

/** The longest reference, in characters. */
const MAX_REFERENCE = 4096;

const stagedFile = z.strictObject({
  name: z.string(),
  file: storedFile,
  versionstamp: z.string(),
});

export function createStagedFiles(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): StagedFiles {
  return {
    async refer({ name, file, upload: { marker: { versionstamp } } }, by) {
      const text = JSON.stringify({ name, file, versionstamp });
      return encodeBase64Url(await secrets.seal("staged-file", utf8(text), by));
    },
    async find(reference, by) {
      if (reference.length > MAX_REFERENCE || !/^[\w-]+$/.test(reference)) return null;
      const bytes = await secrets.open("staged-file", decodeBase64Url(reference), by);
      if (bytes === null) return null;
      const { name, file, versionstamp } = stagedFile.parse(
        JSON.parse(new TextDecoder().decode(bytes)),
      );
      const entry = await uploadMarkers.get(kv, file.blob);
      const waits = entry.versionstamp === versionstamp && isLive(entry.value, clock());
      const marker = { key: entry.key, versionstamp };
      return waits ? { name, file, upload: { blob: file.blob, marker } } : null;
    },
  };
}
