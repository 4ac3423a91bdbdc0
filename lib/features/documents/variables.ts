/**
 * The settings of the feature: where the bytes of files are stored.
 *
 * @module
 */
import { z } from "zod";
import { headerSecret, isSecureUrl, text } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

/** An S3-compatible bucket, addressed as `<endpoint>/<bucket>/<key>`. */
export interface S3Config {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface DocumentsConfig {
  /** The store for the bytes of new files. */
  store: "kv" | "s3";
  /** Set if a bucket is configured. It keeps earlier files readable when `store` is `kv` again. */
  s3?: S3Config;
}

/** The origin of a bucket's API. */
const endpoint = text.refine((value) => {
  if (!isSecureUrl(value)) return false;
  const { search, hash } = new URL(value);
  return search === "" && hash === "";
}, "an https URL").transform((value) => value.replace(/\/+$/, ""));

const variables = {
  DOCUMENT_STORE: z.enum(["kv", "s3"], "kv or s3").default("kv"),
  S3_ENDPOINT: endpoint.optional(),
  S3_REGION: text.regex(/^[a-z0-9-]{1,40}$/, "a region such as eu-central-1").default("us-east-1"),
  S3_BUCKET: text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "the name of a bucket").optional(),
  S3_ACCESS_KEY_ID: secret(
    headerSecret("a key id without spaces or control characters").optional(),
  ),
  S3_SECRET_ACCESS_KEY: secret(
    headerSecret("a key without spaces or control characters").optional(),
  ),
};

type Values = z.output<z.ZodObject<typeof variables>>;

const REQUIRED = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

function documentsConfig(values: Values): DocumentsConfig {
  const {
    DOCUMENT_STORE: store,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? { store, s3: { endpoint, region, bucket, accessKeyId, secretAccessKey } }
    : { store };
}

function documentsProblems(values: Values): string[] {
  const missing = REQUIRED.filter((variable) => values[variable] === undefined);
  if (values.DOCUMENT_STORE === "s3") {
    return missing.map((variable) => `${variable}: should be set, because DOCUMENT_STORE is s3`);
  }
  // Some of them without the others are a mistake, and would make earlier files unreadable.
  return missing.length === REQUIRED.length
    ? []
    : missing.map((variable) => `${variable}: should be set, because other S3_ variables are`);
}

function documentsOff({ organisations, surfaceHosts }: Deployment): string[] {
  if (surfaceHosts.trust === undefined) return [];
  return (["foundation", "commercial"] as const).flatMap((organisation) =>
    surfaceHosts[`${organisation}-console`] === undefined ||
      organisations[organisation].registration !== undefined
      ? []
      : [
        `registration details on documents: ${organisation.toUpperCase()}_REGISTRATION is not set`,
      ]
  );
}

export const documentsSettings = defineSettings({
  variables,
  config: (values) => ({ documents: documentsConfig(values) }),
  problems: documentsProblems,
  off: documentsOff,
});
