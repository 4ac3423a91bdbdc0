import { z } from "zod";
import type { ChallengeConfig } from "../config/contact.ts";

/** The action under which the form asks for the challenge, where the provider knows actions. */
const CHALLENGE_ACTION = "contact";

/** How old an answer of the challenge may be; and how far the provider's clock may be ahead. */
export const CHALLENGE_LIFETIME_MS = 300_000;
const CLOCKS_DIFFER_MS = 60_000;

export interface ChallengeOptions {
  config: Pick<ChallengeConfig, "secret" | "verifyUrl">;
  fetch: typeof fetch;
  clock: () => number;
  /** Whether the form is on a host. */
  isFormHost: (hostname: string) => boolean;
  /** Until the provider's answer. */
  timeoutMs?: number;
}

/** What the provider says of an answer that was given; the rest of it is passed over. */
const verdictSchema = z.object({
  success: z.literal(true),
  challenge_ts: z.iso.datetime({ offset: true }),
  hostname: z.string(),
  action: z.string().optional(),
});

/**
 * Asks the provider whether the bot challenge was passed: now, on a page of ours or of one that may
 * embed the form, for this form. It fails closed: whatever is missing, late, malformed or
 * unreachable is no.
 *
 * @param answer what the challenge's script gave to the page
 * @param clientAddress told to the provider, where it is an IP address
 */
export async function passesChallenge(
  { config, fetch, clock, isFormHost, timeoutMs = 5_000 }: ChallengeOptions,
  answer: string | undefined,
  clientAddress: string,
): Promise<boolean> {
  if (answer === undefined || answer === "") return false;
  const body = new URLSearchParams({ secret: config.secret, response: answer });
  if (/[.:]/.test(clientAddress)) body.set("remoteip", clientAddress);
  try {
    const response = await fetch(config.verifyUrl, {
      method: "POST",
      body,
      redirect: "error", // the secret is meant for one address
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { challenge_ts, hostname, action } = verdictSchema.parse(await response.json());
    const age = clock() - Date.parse(challenge_ts);
    return age <= CHALLENGE_LIFETIME_MS && age >= -CLOCKS_DIFFER_MS && isFormHost(hostname) &&
      (action === undefined || action === CHALLENGE_ACTION);
  } catch {
    return false;
  }
}
