import { AwsClient } from "aws4fetch";
import type { S3Config } from "./variables.ts";
import { createQueue } from "../../platform/kv/mod.ts";
import { fail } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { ByteStore } from "./bytes.ts";

/** How long the bucket may take to respond. */
const TIMEOUT_MS = MINUTE_MS;

/** Attempts per request. S3 expects clients to retry after server errors. */
const ATTEMPTS = 3;

export interface S3Options {
  config: S3Config;
  /**
   * Stages an upload until its length and hash are known, which a bucket requires. So a slow client
   * occupies neither memory nor a connection to the bucket.
   */
  staging: ByteStore;
  fetch: typeof fetch;
}

/** Creates the store that keeps bytes in an S3-compatible bucket, one object per file. */
export function createS3Bytes({ config, staging, fetch }: S3Options): ByteStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  // One file at a time is held in memory.
  const enqueue = createQueue();

  /** Sends a signed request. Retries if the bucket fails or cannot be reached. */
  async function send(method: string, blob: string, init: RequestInit = {}): Promise<Response> {
    const url = `${endpoint}/${bucket}/documents/${blob}`;
    for (let attempt = 1;; attempt++) {
      const request = await client.sign(url, { method, ...init });
      const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        .catch((error) => {
          if (attempt === ATTEMPTS) throw new BucketError(method, error);
        });
      if (response?.ok) return response;
      await response?.body?.cancel();
      if (response !== undefined && (response.status < 500 || attempt === ATTEMPTS)) {
        throw new BucketError(method, response.status);
      }
    }
  }

  async function upload(blob: string, size: number, sha256: string): Promise<void> {
    const body = new Uint8Array(size);
    let filled = 0;
    for await (const chunk of staging.open({ blob, size })) {
      body.set(chunk, filled);
      filled += chunk.length;
    }
    const response = await send("PUT", blob, {
      body,
      headers: { "x-amz-content-sha256": sha256, "content-type": "application/octet-stream" },
    });
    await response.body?.cancel();
  }

  async function* download(blob: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    if (from >= to) return;
    const response = await send("GET", blob, { headers: { range: `bytes=${from}-${to - 1}` } });
    let size = 0;
    // A bucket may ignore the range of a whole file, but never send more than that file.
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      yield chunk;
    }
    if (size !== to - from) throw new Error("Bytes of a document are missing.");
  }

  return {
    async put(marked, body, limit) {
      const received = await staging.put(marked, body, limit);
      if (!received.ok) return received;
      try {
        await enqueue(() => upload(marked.blob, received.size, received.sha256));
      } catch (error) {
        if (!(error instanceof BucketError)) throw error;
        return fail("unavailable", {
          message: "The document store does not respond. Try again later.",
        });
      }
      await staging.delete(marked.blob);
      return received;
    },
    open: ({ blob, size }, { from, to } = { from: 0, to: size }) =>
      ReadableStream.from(download(blob, from, to)),
    async delete(blob) {
      await staging.delete(blob);
      const response = await send("DELETE", blob);
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

/** A request that the bucket refused. It names no key and no address. */
class BucketError extends Error {
  constructor(method: string, cause: unknown) {
    super(`The bucket failed: ${method} ${typeof cause === "number" ? cause : "no response"}`);
    this.name = "BucketError";
  }
}
