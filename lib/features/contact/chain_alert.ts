import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { NewAlert } from "../alerts/mod.ts";
import type { InvalidChain } from "../chain/store/mod.ts";

export const CHAIN_FAILED = "chain_failed";

/** The number of invalid chains per check that get an alert of their own. */
const MOST_CHAIN_ALERTS = 20;

/**
 * Returns the alert about a stored chain that is not valid. If something has damaged very many of
 * them, the rest share one alert.
 *
 * @param count the number of invalid chains that the check has found so far
 */
export const chainAlert = (
  organisation: OrganisationKey,
  { hash, code, seq }: InvalidChain,
  count: number,
): NewAlert => ({
  organisation,
  kind: CHAIN_FAILED,
  problem: count > MOST_CHAIN_ALERTS ? "more" : hash,
  links: { record: hash },
  details: { code, ...seq === undefined ? {} : { seq } },
});
