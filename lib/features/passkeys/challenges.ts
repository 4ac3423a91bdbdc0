import {
  createSingleUseTokens,
  type SingleUseTokens,
  type TokenRow,
} from "../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { challengeOf } from "./responses.ts";

/** How long a person has to answer the browser's prompt. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** Single-use challenges of 32 random bytes, each for one purpose. */
export interface Challenges<Purpose extends object>
  extends Pick<SingleUseTokens<Purpose>, "create" | "use"> {
  /**
   * Returns the challenge that a browser's response contains, with its entry, if it is unused and was
   * issued for exactly this purpose, otherwise null.
   */
  find(
    kv: Deno.Kv,
    response: { response: { clientDataJSON: string } },
    purpose: Purpose,
    now: number,
  ): Promise<{ challenge: string; entry: Deno.KvEntry<Purpose & TokenRow> } | null>;
}

/** Creates the challenges of a table with this prefix. It contains only their SHA-256. */
export function createChallenges<Purpose extends object>(prefix: string): Challenges<Purpose> {
  const tokens = createSingleUseTokens<Purpose>({ prefix, lifetimeMs: CHALLENGE_LIFETIME_MS });
  return {
    ...tokens,
    async find(kv, response, purpose, now) {
      const challenge = challengeOf(response);
      if (challenge === null) return null;
      const found = await tokens.find(kv, challenge, now);
      if (found.state !== "open") return null;
      const issued = found.entry.value as Record<string, unknown>;
      const same = Object.entries(purpose).every(([name, value]) => issued[name] === value);
      return same ? { challenge, entry: found.entry } : null;
    },
  };
}
