import { fail, rateLimited } from "../../base/result.ts";
import { formatWait } from "../../base/time.ts";

/**
 * The failure of every sign-in that proves nothing. An unknown or removed passkey and a wrong
 * signature are not distinguished, so that the response reveals nothing about stored passkeys.
 */
export const REFUSED = fail("passkey_refused", {
  message: "This passkey could not be used. Try another one, or ask for a link by email.",
});

/** The failure of every registration that proves nothing. */
export const NOT_ADDED = fail("passkey_refused", {
  message: "This passkey could not be added. Try again, or use another authenticator.",
});

/** The failure if the challenge is unknown, used, too old, or was issued for another purpose. */
export const EXPIRED = fail("passkey_expired", {
  message: "That took too long, or the page was open elsewhere. Try again.",
});

/** The failure if too many options were requested. */
export function tooMany(waitMs: number) {
  const limited = rateLimited(waitMs);
  const wait = formatWait(limited.retryAfterSeconds);
  return { ...limited, message: `There were too many attempts. Try again ${wait}.` };
}
