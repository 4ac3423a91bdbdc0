import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** Returns the organisation that a contact wrote to: the commercial one in older rows. */
export const ownerOf = ({ organisation }: { organisation?: OrganisationKey }): OrganisationKey =>
  organisation ?? "commercial";
