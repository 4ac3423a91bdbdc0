/** Creates the name, witnesses and anchor of the public log from the configuration. */
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { publisherOf, type Surfaces } from "../../platform/surfaces/mod.ts";
import { ConfigError } from "../../platform/config/error.ts";
import {
  type Anchor,
  type Bucket,
  createBucketAnchor,
  createFileAnchor,
  fileAnchorProblem,
} from "./store/anchor.ts";
import { isChecked } from "../../../packages/proof/mod.ts";
import type { Witness } from "./store/ask_witness.ts";
import { keyInBucket, type LogConfig } from "./variables.ts";

/** Returns the name of the log of a deployment. */
export const originOf = (surfaces: Surfaces): string => `${publisherOf(surfaces)}/log`;

/** Returns the witnesses in the configured policy that have an address and whose lines can be verified. */
export function configuredWitnesses(
  { policy, ownWitnesses }: Pick<LogConfig, "policy" | "ownWitnesses">,
  fetch: typeof globalThis.fetch,
): Witness[] {
  const send = createLocalFetch(fetch);
  return policy.witnesses.flatMap(({ name, key, url }): Witness[] =>
    url === null || !isChecked(key)
      ? []
      : [{ name, key, url, own: ownWitnesses.includes(name), submit: submitTo(url, send) }]
  );
}

const submitTo =
  (url: string, fetch: typeof globalThis.fetch): Witness["submit"] => (body, signal) =>
    fetch(`${url.replace(/\/+$/, "")}/add-checkpoint`, {
      method: "POST",
      body,
      signal,
      redirect: "error",
      headers: { "content-type": "text/plain; charset=utf-8" },
    });

/**
 * Returns the configured anchor, if there is one.
 *
 * @param bucket the bucket of documents, in which an anchor such as `s3:log-anchor` is
 * @throws {ConfigError} if the anchor is in a bucket, and none is configured
 */
export function configuredAnchor(
  { anchor }: Pick<LogConfig, "anchor">,
  bucket: Bucket | undefined,
  fetch: typeof globalThis.fetch,
): Anchor | undefined {
  if (anchor === undefined) return undefined;
  const key = keyInBucket(anchor);
  if (key === undefined) return createFileAnchor(anchor);
  if (bucket === undefined) {
    throw new ConfigError(["LOG_ANCHOR: an object needs S3_ENDPOINT, S3_BUCKET and its keys"]);
  }
  return createBucketAnchor(bucket, key, fetch);
}

/** Returns why the configured anchor cannot be written. Null for an object, which needs the network. */
export const anchorProblem = async (anchor: string): Promise<string | null> =>
  keyInBucket(anchor) === undefined ? await fileAnchorProblem(anchor) : null;
