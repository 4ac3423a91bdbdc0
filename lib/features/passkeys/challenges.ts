/** The WebAuthn challenges: issued for one purpose, stored as hashes and used once. */
import { z } from "zod";
import {
  createSingleUseTokens,
  type SingleUseTokens,
  TOKEN,
  type TokenRow,
} from "../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { challengeOf } from "./responses.ts";

/** How long a person has to answer the browser's prompt. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** A stored challenge. A response is accepted only for the purpose that it was issued for. */
export const challenge = z.union([
  z.strictObject({
    ceremony: z.literal("registration"),
    /** The id of the session that asked for it. */
    session: z.string(),
    /** The record of the holder. */
    record: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("registration"),
    session: z.string(),
    /** The permission that an operator has shown: the HMAC of its code, or `none`. */
    permission: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("confirmation"),
    session: z.string(),
    ...TOKEN,
  }),
  z.strictObject({
    ceremony: z.literal("sign_in"),
    /** SHA-256 of the browser's cookie. */
    browser: z.string(),
    ...TOKEN,
  }),
]);

type PurposeOf<Row> = Row extends unknown ? Omit<Row, keyof TokenRow> : never;

export type Purpose = PurposeOf<z.infer<typeof challenge>>;

/** A challenge that a response contains and that was issued for the purpose of the response. */
interface Issued {
  challenge: string;
  entry: Deno.KvEntry<Purpose & TokenRow>;
}

/** Single-use challenges of 32 random bytes. */
export interface Challenges extends Pick<SingleUseTokens<Purpose>, "create" | "use"> {
  /** The prefix of their table. */
  prefix: string;
  /**
   * Reads the challenge that a browser's response contains. The result returns it for exactly the
   * purpose that it was issued for, and null for any other, or if it was used or is too old.
   */
  find(
    kv: Deno.Kv,
    response: { response: { clientDataJSON: string } },
    now: number,
  ): Promise<(purpose: Purpose) => Issued | null>;
}

/** Creates the challenges of a table with this prefix. It contains only their SHA-256. */
export function createChallenges(prefix: string): Challenges {
  const tokens = createSingleUseTokens<Purpose>({ prefix, lifetimeMs: CHALLENGE_LIFETIME_MS });
  return {
    ...tokens,
    prefix,
    async find(kv, response, now) {
      const challenge = challengeOf(response);
      if (challenge === null) return () => null;
      const found = await tokens.find(kv, challenge, now);
      if (found.state !== "open") return () => null;
      const issued = found.entry.value as Record<string, unknown>;
      return (purpose) =>
        Object.entries(purpose).every(([name, value]) => issued[name] === value)
          ? { challenge, entry: found.entry }
          : null;
    },
  };
}
