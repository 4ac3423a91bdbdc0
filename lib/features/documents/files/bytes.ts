/**
 * The stores of files' bytes, and the one in Deno KV.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { fail, type Failure } from "../../../base/result.ts";
import { HOUR_MS, inHours } from "../../../base/time.ts";
import { defineTable, DUE_JOBS, WITH_RECORD } from "../../../platform/kv/mod.ts";

/** The largest file of a document: an upload, or an issued copy that is larger than its original. */
export const FILE_LIMIT = 16 * 1024 * 1024;

/** Below the largest value of the store. */
export const CHUNK_SIZE = 60 * 1024;

/** Chunks per read and per commit: 480 KiB in memory. */
const BATCH = 8;

/** How long an upload may take until the job removes it. */
export const UPLOAD_LIFETIME_MS = HOUR_MS;

/** How long bytes without a document are kept. The job that removes them runs every ten minutes. */
export const UPLOAD_KEPT_MS = 2 * HOUR_MS;

/** The stores of files' bytes. */
export const byteStoreName = z.enum(["kv", "s3"]);
export type ByteStoreName = z.infer<typeof byteStoreName>;

/** A part of a file: the bytes from `from` (inclusive) to `to` (exclusive). */
export interface ByteRange {
  from: number;
  to: number;
}

/** The place of a new file's bytes, which only one upload writes to. */
export interface Upload {
  blob: string;
  /** The marker of the upload. Without it, nothing may be written. */
  marker: { key: Deno.KvKey; versionstamp: string };
}

export type Received =
  | { ok: true; sha256: string; size: number; /** The first bytes. */ head: Uint8Array }
  | Failure<"too_large" | "empty" | "conflict" | "unavailable">;

/** Thrown if bytes cannot be read: some are missing, or their store does not respond. */
export class UnreadableError extends Error {
  override name = "UnreadableError";

  constructor(message = "Bytes of a document are missing.") {
    super(message);
  }
}

/** The failure of a request that needs bytes that cannot be read. */
export const unreadable = (): Failure<"unavailable"> =>
  fail("unavailable", {
    message: "The document cannot be read at the moment. Try again later.",
    retryAfterSeconds: 60,
  });

/** Stores the bytes of files under random ids. */
export interface ByteStore {
  /** Returns why no upload can begin at the moment; null if one can. */
  refusal(): Failure<"unavailable"> | null;
  /**
   * Stores bytes as they arrive. The caller deletes them if it fails.
   *
   * @param limit the most bytes
   */
  put(upload: Upload, body: AsyncIterable<Uint8Array>, limit: number): Promise<Received>;
  /** Reads bytes in constant memory. If they cannot be read, the stream fails with `UnreadableError`. */
  open(file: { blob: string; size: number }, range?: ByteRange): ReadableStream<Uint8Array>;
  /** Deletes bytes, whether or not all of them are there. */
  delete(blob: string): Promise<void>;
}

/** The bytes of files, in chunks that are numbered from 0. */
export const documentBytes = defineTable({
  prefix: "document_bytes",
  value: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  key: ["blob", "chunk"],
  owner: "record",
  lifetime: {
    ...WITH_RECORD,
    kept: `${WITH_RECORD.kept}; without a document, ${inHours(UPLOAD_KEPT_MS)}`,
    job: DUE_JOBS.often,
  },
  per: "60 KiB of a document",
  privacy: { section: "record", label: "Documents" },
});

/** Adds the bytes of a file that is in memory to a commit. */
export function putChunks(commit: Deno.AtomicOperation, blob: string, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += CHUNK_SIZE) {
    // A part of a larger buffer would be stored with all of it.
    const chunk = bytes.slice(from, from + CHUNK_SIZE);
    documentBytes.put(commit, [blob, from / CHUNK_SIZE], chunk);
  }
}

/** Creates the store that keeps bytes as chunks in Deno KV. */
export function createKvBytes(kv: Deno.Kv): ByteStore {
  return {
    refusal: () => null,
    async put({ blob, marker }, body, limit) {
      const meter = createMeter(limit);
      let count = 0;
      let batch: Uint8Array[] = [];
      async function flush(): Promise<boolean> {
        const commit = kv.atomic().check(marker);
        batch.forEach((chunk, i) => documentBytes.put(commit, [blob, count + i], chunk));
        count += batch.length;
        batch = [];
        return (await commit.commit()).ok;
      }
      for await (const chunk of inChunks(meter.measure(body), CHUNK_SIZE)) {
        batch.push(chunk);
        if (batch.length === BATCH && !await flush()) return fail("conflict");
      }
      const received = meter.result();
      if (!received.ok || batch.length === 0) return received;
      return await flush() ? received : fail("conflict");
    },
    open: ({ blob, size }, { from, to } = { from: 0, to: size }) =>
      ReadableStream.from(readChunks(kv, blob, from, to)),
    async delete(blob) {
      // Deleting every possible key reads nothing, and leaves no chunk after a gap.
      const commit = kv.atomic();
      const most = Math.ceil(FILE_LIMIT / CHUNK_SIZE);
      for (let n = 0; n < most; n++) commit.delete(documentBytes.key(blob, n));
      await commit.commit();
    },
  };
}

async function* readChunks(
  kv: Deno.Kv,
  blob: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const last = Math.ceil(to / CHUNK_SIZE);
  // A range is read twice as fast as its keys.
  const read = (n: number) => {
    const end = documentBytes.key(blob, Math.min(n + BATCH, last));
    const range = { start: documentBytes.key(blob, n), end };
    return Array.fromAsync(kv.list<Uint8Array>(range, { batchSize: BATCH }), ({ value }) => value);
  };
  let n = Math.floor(from / CHUNK_SIZE);
  let next = n < last ? read(n) : undefined;
  while (next !== undefined) {
    const chunks = await next;
    if (chunks.length < Math.min(BATCH, last - n)) {
      throw new UnreadableError();
    }
    // The next batch is read while this one is sent.
    next = n + BATCH < last ? read(n + BATCH) : undefined;
    next?.catch(() => {}); // a failure is reported when this batch is awaited
    for (const chunk of chunks) {
      const start = CHUNK_SIZE * n++;
      yield chunk.subarray(Math.max(0, from - start), Math.max(0, to - start));
    }
  }
}

/**
 * Waits for the first bytes of a stream, so that a file that cannot be read is known before anything is
 * sent or counted. A later failure ends the returned stream with the same error.
 *
 * @param onError called with the error of either
 * @throws the error of the first read (rejects)
 */
export async function begin(
  stream: ReadableStream<Uint8Array>,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  const read = () =>
    reader.read().catch((error) => {
      onError(error);
      throw error;
    });
  let next: ReadableStreamReadResult<Uint8Array> | undefined = await read();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? await read();
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Counts and hashes bytes on their way. */
export interface Meter {
  /** Passes bytes on, up to the limit. */
  measure(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** Call it once all bytes have passed. */
  result(): Received;
}

/** The first bytes, which tell the type of a file. */
export const HEAD_SIZE = 4096;

function createMeter(limit: number): Meter {
  const hash: Hash = createHash("sha256");
  let head = new Uint8Array();
  let size = 0;
  return {
    async *measure(body) {
      for await (const bytes of body) {
        size += bytes.length;
        if (size > limit) return;
        if (head.length < HEAD_SIZE) {
          const more = bytes.subarray(0, HEAD_SIZE - head.length);
          const longer = new Uint8Array(head.length + more.length);
          longer.set(head);
          longer.set(more, head.length);
          head = longer;
        }
        hash.update(bytes);
        yield bytes;
      }
    },
    result() {
      if (size > limit) return tooLarge(limit);
      if (size === 0) return fail("empty", { message: "This file is empty." });
      return { ok: true, sha256: hash.digest("hex"), size, head };
    },
  };
}

export const tooLarge = (limit: number): Failure<"too_large"> =>
  fail("too_large", {
    message: `This file is too large. The limit is ${limit / 1024 / 1024} MiB.`,
  });

/** Cuts bytes into chunks of equal size; the last one may be shorter. */
async function* inChunks(
  body: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let chunk = new Uint8Array(size);
  let filled = 0;
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + size - filled);
      chunk.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < size) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
