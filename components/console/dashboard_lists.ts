import type { Alert } from "../../lib/features/alerts/mod.ts";
import type { NewRecord, RecordOverview } from "../../lib/features/records/mod.ts";
import type { OrganisationKey } from "../../lib/platform/surfaces/mod.ts";
import { type NamedObjects, type NamedServices, readNamedObjects } from "../alerts/views.ts";

/** The five newest open alerts and the five newest records of a console's organisation. */
export interface Lists {
  alerts: readonly Alert[];
  /** The documents and people that the requests for access among them name. */
  named: NamedObjects;
  records: readonly NewRecord[];
}

export async function readLists(
  services: NamedServices,
  organisation: OrganisationKey,
  { alerts, records }: { alerts: readonly Alert[]; records: RecordOverview },
): Promise<Lists> {
  const [named, newest] = await Promise.all([
    readNamedObjects(services, organisation, alerts),
    records.newest(),
  ]);
  return { alerts, named, records: newest };
}
