import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuthServices } from "../auth/feature.ts";
import type { PasskeyServices } from "../passkeys/feature.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import { invitationLimits } from "./invitations.ts";
import { createTeam, type Team } from "./mod.ts";

export interface TeamServices {
  /** Changes who may use the consoles. */
  team: Team;
}

type Below = Platform & OperatorsServices & AuthServices & PasskeyServices & {
  config: { organisations: Record<OrganisationKey, MailOrganisation> };
};

export const teamFeature = defineFeature({
  name: "team",
  tables: [invitationLimits],
  create: ({ config: { organisations }, ...below }: Below): TeamServices => ({
    team: createTeam({ ...below, organisations }),
  }),
});
