import { growingFile, IMMUTABLE } from "../../../lib/platform/http/public_file.ts";
import { CONTENT_TYPES, readRelease } from "../../../packages/proof/release/mod.ts";
import type { RouteProperties, State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "both", // compressed, because it is large
  anonymous: true,
  notInOpenApi: "Belongs to the verifier module, which its own page describes.",
};

/** Returns a file of a version of the verifier module, to any origin. */
export const handler = growingFile<State>(
  ({ params: { version, file } }) => readRelease(version, file),
  {
    contentType: ({ params: { file } }) => CONTENT_TYPES[file],
    cacheControl: IMMUTABLE,
    missing: "There is no such version or file.",
  },
);
