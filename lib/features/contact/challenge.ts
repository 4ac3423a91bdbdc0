/** The bot challenge of the form. */
import { z } from "zod";
import type { ChallengeConfig } from "./variables.ts";
import { MINUTE_MS } from "../../base/time.ts";

const CHALLENGE_ACTION = "contact";

/** The maximum age of a challenge response. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
const MAX_CLOCK_SKEW_MS = MINUTE_MS;

interface ChallengeOptions {
  config: Pick<ChallengeConfig, "secret" | "verifyUrl">;
  fetch: typeof fetch;
  clock: () => number;
  isFormHost: (hostname: string) => boolean;
  /** The timeout for the provider's response. Defaults to 5 s. */
  timeoutMs?: number;
}

const verdictSchema = z.object({
  success: z.literal(true),
  challenge_ts: z.iso.datetime({ offset: true }),
  hostname: z.string(),
  action: z.string().optional(),
});

/**
 * Asks the provider whether the bot challenge was passed recently, for this form, on a page that
 * may contain it. Fails closed: returns false if anything is missing, late, malformed or
 * unreachable.
 *
 * @param token the response token that the challenge's script gave to the page
 * @param clientAddress sent to the provider if it is an IP address
 */
export async function passesChallenge(
  { config, fetch, clock, isFormHost, timeoutMs = 5_000 }: ChallengeOptions,
  token: string | undefined,
  clientAddress: string,
): Promise<boolean> {
  if (token === undefined || token === "") return false;
  const body = new URLSearchParams({ secret: config.secret, response: token });
  if (/[.:]/.test(clientAddress)) body.set("remoteip", clientAddress);
  try {
    const response = await fetch(config.verifyUrl, {
      method: "POST",
      body,
      redirect: "error", // the secret must not reach another host
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { challenge_ts, hostname, action } = verdictSchema.parse(await response.json());
    const age = clock() - Date.parse(challenge_ts);
    return age <= CHALLENGE_LIFETIME_MS && age >= -MAX_CLOCK_SKEW_MS && isFormHost(hostname) &&
      (action === undefined || action === CHALLENGE_ACTION);
  } catch {
    return false;
  }
}
