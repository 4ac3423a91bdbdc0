import { z } from "zod";
import { createSingleUseTokens, TOKEN, type TokenRow } from "../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { challengeOf } from "./responses.ts";

/** How long a person has to answer the browser's prompt. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** A stored challenge. A response is accepted only for the purpose that it was issued for. */
export const challenge = z.union([
  z.strictObject({
    ceremony: z.literal("registration"),
    /** The key of the session that asked for it. */
    session: z.string(),
    record: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("sign_in"),
    /** SHA-256 of the browser's cookie. */
    browser: z.string(),
    ...TOKEN,
  }),
]);

type Purpose<Row> = Row extends unknown ? Omit<Row, keyof TokenRow> : never;
export type ChallengePurpose = Purpose<z.infer<typeof challenge>>;

export type Challenge = Deno.KvEntry<ChallengePurpose & TokenRow>;

/** Single-use challenges of 32 random bytes. The store contains their SHA-256 only. */
export const challenges = createSingleUseTokens<ChallengePurpose>({
  prefix: "passkey_challenges",
  lifetimeMs: CHALLENGE_LIFETIME_MS,
});

/**
 * Returns the challenge that a browser's response contains, with its entry, if it is unused and was
 * issued for exactly this purpose, otherwise null.
 */
export async function findChallenge(
  kv: Deno.Kv,
  response: { response: { clientDataJSON: string } },
  purpose: ChallengePurpose,
  now: number,
): Promise<{ challenge: string; entry: Challenge } | null> {
  const challenge = challengeOf(response);
  if (challenge === null) return null;
  const found = await challenges.find(kv, challenge, now);
  if (found.state !== "open") return null;
  const issued = found.entry.value as unknown as Record<string, unknown>;
  const same = Object.entries(purpose).every(([name, value]) => issued[name] === value);
  return same ? { challenge, entry: found.entry } : null;
}
