/** Keeps the size and root of the newest checkpoint outside the store, in a file or a bucket. */
import { AwsClient } from "aws4fetch";
import { utf8 } from "../../../base/bytes.ts";
import { encodeBase64 } from "../../../base/encoding.ts";
import { parseSize } from "../../../../packages/proof/mod.ts";

/** The size and root of the newest checkpoint, kept outside the store and its backups. */
export interface Anchored {
  size: number;
  /** Base64. */
  root: string;
}

/** Keeps the newest size and root where a restored store cannot change them. */
export interface Anchor {
  /** @throws {Error} (rejects) if it cannot be read, or is not what was written */
  read(): Promise<Anchored | null>;
  write(anchored: Anchored): Promise<void>;
}

/** An anchor that is a file. It is replaced as a whole, so that a full disk or a crash keeps the old one. */
export function createFileAnchor(path: string): Anchor {
  return {
    async read() {
      let text;
      try {
        text = await Deno.readTextFile(path);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return null;
        throw error;
      }
      return parseAnchor(text);
    },
    async write(anchored) {
      // Another process may write at the same time, although only one runs the job.
      const temporary = `${path}.${crypto.randomUUID()}`;
      try {
        using file = await Deno.open(temporary, { write: true, createNew: true });
        const bytes = utf8(formatAnchor(anchored));
        if (await file.write(bytes) < bytes.length) {
          throw new Error("The disk of the anchor is full.");
        }
        await file.sync();
        await Deno.rename(temporary, path);
      } catch (error) {
        // The job tries again all the time, so these would become many.
        await Deno.remove(temporary).catch(() => {});
        throw error;
      }
    },
  };
}

/**
 * Returns why the file of an anchor cannot be replaced. Null if it can, or if this process has no
 * permission to try.
 */
export async function fileAnchorProblem(path: string): Promise<string | null> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    (await Deno.open(temporary, { write: true, createNew: true })).close();
    await Deno.remove(temporary);
    const isFolder = await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
    return isFolder ? "it is a folder" : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    if (error instanceof Deno.errors.NotFound) return "its folder does not exist";
    return error instanceof Error ? error.name : String(error);
  }
}

/** A bucket with the S3 API, addressed as `<endpoint>/<bucket>/<key>`. */
export interface Bucket {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** How long the bucket may take. */
const BUCKET_MS = 5_000;

/** An anchor that is an object in a bucket, for deployments without files. */
export function createBucketAnchor(
  bucket: Bucket,
  key: string,
  fetch: typeof globalThis.fetch,
): Anchor {
  const { endpoint, region, accessKeyId, secretAccessKey } = bucket;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const url = `${endpoint}/${bucket.bucket}/${key}`;
  async function send(init: RequestInit, accepted: readonly number[]): Promise<Response> {
    const request = await client.sign(url, init);
    const response = await fetch(request, {
      redirect: "manual",
      signal: AbortSignal.timeout(BUCKET_MS),
    });
    if (accepted.includes(response.status)) return response;
    await response.body?.cancel();
    throw new Error(`The bucket of the anchor responded with ${response.status}.`);
  }
  return {
    async read() {
      const response = await send({ method: "GET" }, [200, 404]);
      const text = await response.text();
      return response.status === 404 ? null : parseAnchor(text);
    },
    async write(anchored) {
      const response = await send({ method: "PUT", body: formatAnchor(anchored) }, [200]);
      await response.body?.cancel();
    },
  };
}

export const formatAnchor = ({ size, root }: Anchored): string => `${size}\n${root}\n`;

/** @throws {TypeError} for any other text */
function parseAnchor(text: string): Anchored {
  const [line, root = "", ...rest] = text.split("\n");
  const size = parseSize(line);
  if (
    size === null || !/^[A-Za-z0-9+/]{43}=$/.test(root) || rest.join() !== "" || rest.length !== 1
  ) {
    throw new TypeError("The anchor does not have a size and a root.");
  }
  return { size, root };
}

export const anchorOf = (size: number, root: Uint8Array): Anchored => ({
  size,
  root: encodeBase64(root),
});
