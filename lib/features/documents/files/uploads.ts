/**
 * The files on their way into a document, and the markers by which a crash leaves none behind.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  asSite,
  attemptOnce,
  defineTable,
  EXPIRING,
  isLive,
  isoAfter,
  type UnitOfWork,
  untilUsed,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { inHours } from "../../../base/time.ts";
import {
  type ByteStore,
  type ByteStoreName,
  byteStoreName,
  CHUNK_SIZE,
  HEAD_SIZE,
  putChunks,
  type Upload,
  UPLOAD_KEPT_MS,
  UPLOAD_LIFETIME_MS,
} from "./bytes.ts";
import { mediaTypeOf } from "./file_types.ts";
import type { StoredFile } from "./stored_file.ts";

const marker = z.strictObject({
  store: byteStoreName,
  /** The bytes: those of a file, and those of its issued copy. */
  blobs: z.array(z.string()),
  ...EXPIRING,
});
export type Marker = z.infer<typeof marker>;

/**
 * Markers of bytes that do not belong to a document. A file and its issued copy have one together, so that the
 * commit of their version checks one row.
 */
export const uploadMarkers = defineTable({
  prefix: "document_uploads",
  value: marker,
  key: ["blob"],
  owner: "nobody",
  lifetime: untilUsed(inHours(UPLOAD_KEPT_MS)),
  due: { when: (row, now) => !isLive(row, now), nightly: false },
  per: "upload",
  privacy: { section: "record", label: "Documents" },
});

/** A file that was uploaded, but belongs to no document yet. */
export interface UploadedFile {
  file: StoredFile;
  upload: Upload;
}

/** A small file in memory, which is stored by the commit of its document. */
export interface HeldFile {
  file: StoredFile;
  bytes: Uint8Array;
}

/** A file that belongs to no document yet. */
export type NewFile = UploadedFile | HeldFile;

type Refused = Failure<"too_large" | "empty" | "conflict" | "unavailable">;

export type ReceivedFile<File = UploadedFile> = { ok: true } & File | Refused;

/** The largest file that is held. A document and its issued copy then fit into one commit, with room for the rest. */
const HELD_LIMIT = 4 * CHUNK_SIZE;

/**
 * Files on their way into a document. Each blob either belongs to a document or has a marker: the
 * marker is written before the first byte and removed in the commit of the document, and it is
 * written again in the commit that deletes the document. So a crash leaves only marked blobs, which
 * a job removes.
 */
export interface Uploads {
  /** Returns why no upload can begin at the moment; null if one can. */
  refusal(): Failure<"unavailable"> | null;
  /** @param original the file that this one is the issued copy of, if it is one. They are discarded together. */
  receive(
    body: AsyncIterable<Uint8Array>,
    limit: number,
    original?: NewFile,
  ): Promise<ReceivedFile>;
  /** Like {@link Uploads.receive}, for bytes in memory. If they are few, nothing is stored yet. */
  take(bytes: Uint8Array, limit: number, original?: NewFile): Promise<ReceivedFile<NewFile>>;
  /**
   * Removes the markers of new files, and stores those that are held, in the commit of their document. It is refused
   * with `conflict` if the job has removed one of them, because the upload took too long.
   */
  keep(unit: UnitOfWork, files: readonly NewFile[]): void;
  /** Deletes new files, unless a document was committed with them. Never rejects. */
  discard(files: readonly NewFile[]): Promise<void>;
  /** Marks the files of a document, in the commit that deletes it, and deletes their bytes afterwards. */
  release(unit: UnitOfWork, files: readonly StoredFile[]): void;
  /** Deletes what an unfinished upload or deletion has left. Returns false if its store is not configured. */
  removeUnfinished(marker: Deno.KvEntry<Marker>): Promise<boolean>;
}

export interface UploadsOptions {
  kv: Deno.Kv;
  clock: () => number;
  stores: { kv: ByteStore; s3?: ByteStore };
  /** The store of new files. */
  store: ByteStoreName;
  log: (entry: Record<string, unknown>) => void;
}

export function createUploads({ kv, clock, stores, store, log }: UploadsOptions): Uploads {
  async function mark(): Promise<Upload> {
    const blob = crypto.randomUUID();
    const key = uploadMarkers.key(blob);
    const expires_at = isoAfter(clock(), UPLOAD_LIFETIME_MS);
    const { versionstamp } = await kv.set(key, { store, blobs: [blob], expires_at });
    return { blob, marker: { key, versionstamp } };
  }

  /** Adds a blob to the marker of another one. Returns null if that has been removed. */
  async function markBeside({ blob: first, marker }: Upload): Promise<Upload | null> {
    const blob = crypto.randomUUID();
    const expires_at = isoAfter(clock(), UPLOAD_LIFETIME_MS);
    const row: Marker = { store, blobs: [first, blob], expires_at };
    const marked = await kv.atomic().check(marker).set(marker.key, row).commit();
    if (!marked.ok) return null;
    marker.versionstamp = marked.versionstamp; // of both uploads
    return { blob, marker };
  }

  /** Deletes the blobs of a marker unless a document has them. Ends uploads that are still in progress. */
  async function removeMarked(first: string): Promise<boolean> {
    const ended = await attemptOnce<Marker | null>(async () => {
      const entry = await uploadMarkers.get(kv, first);
      if (entry.value === null || stores[entry.value.store] === undefined) return { result: null };
      // The upload checks the marker, so once it has changed, nothing is written or committed.
      const result = { ...entry.value, expires_at: new Date(clock()).toISOString() };
      return { result, commit: kv.atomic().check(entry).set(entry.key, result) };
    });
    if (ended === null) return false;
    for (const blob of ended.blobs) await stores[ended.store]!.delete(blob);
    await kv.delete(uploadMarkers.key(first));
    return true;
  }

  /** Deletes blobs now if possible. Otherwise they stay marked, and the job deletes them. */
  async function tryToRemove(marked: Iterable<string>): Promise<void> {
    for (const first of marked) {
      try {
        await asSite(() => removeMarked(first));
      } catch (error) {
        log({ level: "warn", event: "document_bytes_kept", reason: String(error) });
      }
    }
  }

  /** Removes a marker in the commit of a document, unless it has changed. */
  async function unmark(
    { commit }: UnitOfWork,
    marker: Upload["marker"],
  ): Promise<Failure | void> {
    const { versionstamp } = await kv.get(marker.key);
    if (versionstamp !== marker.versionstamp) return fail("conflict", { message: TOO_LONG });
    commit.check(marker).delete(marker.key);
  }

  const refusal = () => stores[store]!.refusal();
  const uploads: Uploads = {
    refusal,
    async receive(body, limit, original) {
      const refused = refusal();
      if (refused !== null) return refused;
      const upload = original !== undefined && "upload" in original
        ? await markBeside(original.upload)
        : await mark();
      if (upload === null) return fail("conflict", { message: TOO_LONG });
      try {
        const received = await stores[store]!.put(upload, body, limit);
        if (received.ok) {
          const { sha256, size, head } = received;
          const file = { blob: upload.blob, store, sha256, size, media_type: mediaTypeOf(head) };
          return { ok: true, file, upload };
        }
        await tryToRemove(markersOf([{ upload }]));
        return received;
      } catch (error) {
        await tryToRemove(markersOf([{ upload }]));
        throw error;
      }
    },
    async take(bytes, limit, original) {
      if (store !== "kv" || bytes.length === 0 || bytes.length > HELD_LIMIT) {
        return await uploads.receive(inOne(bytes), limit, original);
      }
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const media_type = mediaTypeOf(bytes.subarray(0, HEAD_SIZE));
      const file = { blob: crypto.randomUUID(), store, sha256, size: bytes.length, media_type };
      return { ok: true, file, bytes };
    },
    keep(unit, files) {
      for (const held of files) {
        if ("bytes" in held) putChunks(unit.commit, held.file.blob, held.bytes);
      }
      const markers = new Set(uploaded(files).map(({ upload }) => upload.marker));
      for (const marker of markers) unit.add(unmark(unit, marker));
    },
    discard: (files) => tryToRemove(markersOf(files)),
    release(unit, files) {
      for (const { blob, store } of files) {
        const row: Marker = { store, blobs: [blob], expires_at: new Date(unit.now).toISOString() };
        unit.commit.set(uploadMarkers.key(blob), row);
      }
      unit.after(() => tryToRemove(files.map(({ blob }) => blob)));
    },
    removeUnfinished: ({ key }) => removeMarked(String(key[1])),
  };
  return uploads;
}

const uploaded = <File extends object>(files: readonly File[]) =>
  files.filter((file): file is Extract<File, { upload: Upload }> => "upload" in file);

const markersOf = (files: readonly (NewFile | Pick<UploadedFile, "upload">)[]): Set<string> =>
  new Set(uploaded(files).map(({ upload: { marker } }) => String(marker.key[1])));

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Why a file that was received cannot be used. */
const TOO_LONG = "The upload took too long.";
