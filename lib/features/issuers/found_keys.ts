import { z } from "zod";
import { isKey } from "./key_text.ts";

/** Keys that somebody has found, or knows to have leaked. */
export interface FoundKeys {
  keys: string[];
  /** True to remove the webhooks of the keys too. */
  removeWebhooks: boolean;
}

const MAX_TEXT = 200;
/** The most keys of one report. */
const MAX_FOUND = 100;

const MISTYPED = "This is not a complete API key: its checksum is wrong.";

const options = z.object({
  remove_webhooks: z.boolean().default(false).describe(
    "Also removes the webhooks that the key has added, or whose URL or secret it set last, if the " +
      "key still works. Otherwise they continue to receive events.",
  ),
});

/** The body of a request with one key. */
export const oneKeySchema = options.extend({
  key: z.string().max(MAX_TEXT, MISTYPED).refine(isKey, MISTYPED).describe("The key to revoke."),
});

/** The report of a scanner for secrets, in the format of GitHub and GitLab, of which only the tokens count. */
export const foundKeysSchema = z.array(z.object({
  token: z.string().max(MAX_TEXT).describe("The key. Texts that are not keys are ignored."),
})).min(1).max(MAX_FOUND);

/** The response, which is the same for all keys. */
export const revokedSchema = z.object({ revoked: z.literal(true) });
