import { text } from "./fields.ts";

/**
 * The version of the site, by Semantic Versioning: shown by `/status`, `check-config`, the metrics, the
 * commands (`--version`) and `openapi.json`. `CHANGELOG.md` says what each one brings.
 */
export const VERSION = "1.0.0";

export const releaseVariables = {
  REVISION: text.regex(/^[\w.:+-]{1,64}$/, "up to 64 letters, digits and . _ : + -").optional(),
};

/** Returns what identifies the running build: `REVISION`, or the deployment on Deno Deploy. */
export const revisionOf = (
  given: string | undefined,
  { DENO_DEPLOYMENT_ID }: Record<string, string | undefined>,
): string | null => given ?? DENO_DEPLOYMENT_ID ?? null;
