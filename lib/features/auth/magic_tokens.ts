/** The table of the tokens in sign-in links, which work once and expire. */
import { z } from "zod";
import {
  ALWAYS,
  createSingleUseTokens,
  defineTable,
  expires,
  type Ids,
  TOKEN,
  type TokenRow,
} from "../../platform/kv/mod.ts";
import { TOKEN_LIFETIME, TOKEN_LIFETIME_MS } from "./link_terms.ts";
import { surfaceName } from "./surface_name.ts";

/** A row of `magic_tokens` (spec 2.6). */
const magicToken = z.strictObject({
  ...TOKEN,
  id: z.int(),
  user_id: z.int(),
  created_at: z.iso.datetime(),
  /** The surface that the link signs in to. It is invalid on all others. */
  surface: surfaceName,
  next: z.string().nullable(),
  /** See the session's column of the same name. */
  replaces_passkeys: z.literal(true).optional(),
});

export type MagicToken = z.infer<typeof magicToken>;

const LINKS = {
  section: "sign_in",
  label: "Sign-in links",
  text: "A fingerprint (SHA-256) of each link, the account it is for, and the page it leads " +
    `to, for ${TOKEN_LIFETIME}. The link itself is only in your email, and works once.`,
} as const;

export const magicTokens = defineTable({
  prefix: "magic_tokens",
  value: magicToken,
  key: ["token"],
  indexes: {
    magic_tokens_by_user: {
      columns: ["user_id"],
      value: ({ expires_at }: MagicToken) => ({ expires_at }),
    },
  },
  owner: { user: "user_id" },
  lifetime: expires(TOKEN_LIFETIME),
  per: "sign-in link",
  privacy: [LINKS, {
    section: "sign_in",
    label: "Mail to you",
    text: "The email with your link, encrypted, until it is sent, for at most " +
      `${TOKEN_LIFETIME}. If it cannot be sent, we also keep the reason, for the same time; if ` +
      "the mail server has rejected it, only the reason.",
  }],
});

export const lastTokenId = defineTable({
  prefix: "magic_tokens_last_id",
  value: z.int(),
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
  privacy: LINKS,
});

export const signInTokens = createSingleUseTokens<Omit<MagicToken, keyof TokenRow>>({
  prefix: magicTokens.prefix,
  indexRows: magicTokens.indexRows,
  lifetimeMs: TOKEN_LIFETIME_MS,
});

/**
 * Adds a new token to a commit.
 *
 * @param ids the numbers of tokens
 */
export async function createToken(
  ids: Ids,
  commit: Deno.AtomicOperation,
  target: Pick<MagicToken, "user_id" | "surface" | "next" | "replaces_passkeys">,
  now: number,
): Promise<string> {
  const id = await ids.next();
  const data = { id, ...target, created_at: new Date(now).toISOString() };
  return signInTokens.create(commit, data, now).token;
}
