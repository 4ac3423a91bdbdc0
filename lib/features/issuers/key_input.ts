/** The forms with which administrators create, replace and revoke API keys. */
import { z } from "zod";
import { nonEmptyText } from "../contact/mod.ts";
import { type KeyScope, SCOPES } from "./key_rows.ts";
import { KEY_MODES } from "./key_text.ts";
import { webhooksChoice } from "./key_webhooks.ts";

/** The longest name of a key, in characters. */
export const MAX_KEY_NAME = 60;

/** How long a new key can work, in days. */
export const KEY_LIFETIMES = {
  "30": "30 days",
  "90": "90 days",
  "365": "1 year",
  never: "No expiry",
} as const;
export const DEFAULT_KEY_LIFETIME = "365";

/** How long a replaced key can go on working, in hours. */
export const OVERLAPS = {
  "0": "Stop at once",
  "1": "1 hour",
  "24": "24 hours",
  "72": "3 days",
  "168": "7 days",
} as const;
export const DEFAULT_OVERLAP = "24";

const KEY_ID = /^[0-9a-f]{16}$/;

/** Returns a random id, which the form of a new key contains. Sent twice, it creates one key. */
export const newKeyId = (): string => crypto.randomUUID().replaceAll("-", "").slice(-16);

const keyId = z.string().regex(KEY_ID, "Reload the page and try again.");
const choice = <Choices extends Record<string, string>>(choices: Choices, message: string) =>
  z.enum(Object.keys(choices) as [keyof Choices & string], message);
const checkbox = z.literal("on").optional();

/** The form of a new key. Each scope is a checkbox. */
export const newKeySchema = z.object({
  id: keyId,
  name: nonEmptyText(MAX_KEY_NAME, "Enter a name, such as the system that will use the key."),
  mode: z.enum(KEY_MODES, "Choose test or live."),
  expires: choice(KEY_LIFETIMES, "Choose how long the key works."),
  ...Object.fromEntries(SCOPES.map((scope) => [scope, checkbox])) as Record<
    KeyScope,
    typeof checkbox
  >,
}).transform(({ id, name, mode, expires, ...given }, ctx) => {
  const scopes = SCOPES.filter((scope) => given[scope] === "on");
  if (scopes.length === 0) {
    ctx.addIssue({ code: "custom", path: ["scopes"], message: "Choose at least one scope." });
  }
  return { id, name, mode, scopes, lifetime_days: expires === "never" ? null : Number(expires) };
});
export type NewKey = z.output<typeof newKeySchema>;

/** The form that replaces a key. */
export const rotationSchema = z.object({
  key: keyId,
  overlap: choice(OVERLAPS, "Choose how long the old key works."),
}).transform(({ key, overlap }) => ({ key, overlap_hours: Number(overlap) }));
export type Rotation = z.output<typeof rotationSchema>;

/** The form that revokes a key. */
export const revocationSchema = z.object({
  key: keyId,
  confirm: z.literal("yes", "Confirm that you want to revoke the key."),
  webhooks: webhooksChoice.optional(),
});
