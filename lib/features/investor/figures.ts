import { readTotals } from "../contact/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** The figures of the investor page, from the counters that the organisation's console shows. */
export interface Figures {
  /** The organisation's records, without those that were deleted. */
  records: number;
  /** Records at level 2 or above. */
  declared: number;
  /** Records at level 3 or 4. */
  established: number;
  /** Records at level 4. */
  identified: number;
}

/** Reads one set of counters; the cost does not depend on the number of records. */
export async function readFigures(
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<Figures> {
  const { registrations, levels } = await readTotals(kv, organisation);
  const established = levels[3] + levels[4];
  return {
    records: registrations,
    declared: levels[2] + established,
    established,
    identified: levels[4],
  };
}
