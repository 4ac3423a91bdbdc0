/**
 * The store of files' bytes in an S3-compatible bucket.
 *
 * @module
 */
import { AwsClient } from "aws4fetch";
import type { S3Config } from "../variables.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { scheduleTimeout } from "../../../base/schedule.ts";
import { SECOND_MS } from "../../../base/time.ts";
import {
  BlockedError,
  BUCKET_LIMITS,
  type BucketLimits,
  createBucketWrites,
} from "./bucket_writes.ts";
import { type ByteStore, UnreadableError } from "./bytes.ts";

/** Attempts per request. S3 expects clients to retry after server errors. */
const ATTEMPTS = 3;

interface S3Options {
  /** Returns the current settings, because the keys can be replaced. */
  config: () => S3Config;
  /**
   * Stages an upload until its length and hash are known, which a bucket requires. So a slow client
   * occupies neither memory nor a connection to the bucket.
   */
  staging: ByteStore;
  fetch: typeof fetch;
  log: (entry: Record<string, unknown>) => void;
  limits?: BucketLimits;
}

/** Creates the store that keeps bytes in an S3-compatible bucket, one object per file. */
export function createS3Bytes(
  { config, staging, fetch, log, limits = BUCKET_LIMITS }: S3Options,
): ByteStore {
  const writes = createBucketWrites(limits);
  const { schedule = scheduleTimeout } = limits;

  /**
   * Sends a signed request. Retries if the bucket fails or cannot be reached. A redirect is a failure,
   * because another server would acknowledge an upload that the bucket does not have.
   */
  async function send(method: string, blob: string, init: RequestInit): Promise<Response> {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = config();
    const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
    const url = `${endpoint}/${bucket}/documents/${blob}`;
    for (let attempt = 1;; attempt++) {
      const request = await client.sign(url, { method, ...init });
      const response = await fetch(request, { redirect: "manual", signal: init.signal })
        .catch(() => {
          if (attempt < ATTEMPTS && !init.signal?.aborted) return;
          throw new BucketError(method, "no response");
        });
      if (response?.ok) return response;
      await response?.body?.cancel();
      if (response !== undefined && (response.status < 500 || attempt === ATTEMPTS)) {
        throw new BucketError(method, response.status);
      }
    }
  }

  async function upload(
    blob: string,
    { size, sha256 }: { size: number; sha256: string },
    signal: AbortSignal,
  ): Promise<void> {
    const body = new Uint8Array(size);
    let filled = 0;
    for await (const chunk of staging.open({ blob, size })) {
      body.set(chunk, filled);
      filled += chunk.length;
    }
    const response = await send("PUT", blob, {
      body,
      headers: { "x-amz-content-sha256": sha256, "content-type": "application/octet-stream" },
      signal,
    });
    await response.body?.cancel();
  }

  async function* download(blob: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    if (from >= to) return;
    const stalled = new AbortController();
    /** Limits the time that the bucket takes. A slow reader may take longer. */
    async function inTime<Result>(work: Promise<Result>): Promise<Result> {
      const cancel = schedule(() => {
        stalled.abort();
        writes.pause();
      }, limits.deadlineMs);
      try {
        return await work;
      } catch (error) {
        const { message } = error instanceof BucketError
          ? error
          : new BucketError("GET", "cut off");
        throw new UnreadableError(message);
      } finally {
        cancel();
      }
    }
    const headers = { range: `bytes=${from}-${to - 1}` };
    const response = await inTime(send("GET", blob, { headers, signal: stalled.signal }));
    const reader = response.body?.getReader();
    try {
      const length = response.headers.get("content-length");
      let missing = to - from;
      if (length !== null && Number(length) !== missing) throw new UnreadableError();
      while (reader !== undefined) {
        const { done, value } = await inTime(reader.read());
        if (done) break;
        missing -= value.length;
        if (missing < 0) break;
        yield value;
      }
      if (missing !== 0) throw new UnreadableError();
    } finally {
      await reader?.cancel().catch(() => {}); // it has failed already
    }
  }

  function unavailable(error: Error): Failure<"unavailable"> {
    log({ level: "error", event: "bucket_failed", reason: error.message });
    return fail("unavailable", {
      message: "The document store does not respond. Try again later.",
      retryAfterSeconds: Math.ceil(limits.deadlineMs / SECOND_MS),
    });
  }

  return {
    refusal: () => writes.isBlocked() ? unavailable(new BlockedError()) : null,
    async put(marked, body, limit) {
      const received = await staging.put(marked, body, limit);
      if (!received.ok) return received;
      try {
        await writes.upload((signal) => upload(marked.blob, received, signal));
      } catch (error) {
        if (error instanceof BucketError || error instanceof BlockedError) {
          return unavailable(error);
        }
        throw error;
      }
      await staging.delete(marked.blob);
      return received;
    },
    open: ({ blob, size }, { from, to } = { from: 0, to: size }) =>
      ReadableStream.from(download(blob, from, to)),
    async delete(blob) {
      await staging.delete(blob);
      const response = await writes.write((signal) => send("DELETE", blob, { signal }));
      await response.body?.cancel();
    },
  };
}

/**
 * Checks whether the bucket exists and accepts the credentials.
 *
 * @returns the status of the response; 200 if it does
 * @throws {TypeError} (rejects) if there is no response
 */
export async function checkBucket(config: S3Config, { fetch, signal }: {
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
}): Promise<number> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const request = await client.sign(`${endpoint}/${bucket}`, { method: "HEAD" });
  const response = await fetch(request, { redirect: "manual", signal });
  await response.body?.cancel();
  return response.status;
}

/** A request that failed. It names no key and no address. */
class BucketError extends Error {
  override name = "BucketError";

  constructor(method: string, outcome: number | "no response" | "cut off") {
    super(`The bucket failed: ${method} ${outcome}`);
  }
}
