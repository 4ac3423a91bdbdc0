import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { createOperators, type Operators } from "./access.ts";
import { invitationLimits } from "./invitations.ts";
import type { OperatorData } from "./operator_data.ts";
import { operatorTables } from "./tables.ts";
import { createTeam, type Team } from "./team.ts";
import { operatorsSettings, type OpsConfig } from "./variables.ts";

export interface OperatorsServices {
  /** Knows who may use which console. */
  operators: Operators;
  /** Changes who may use the consoles. */
  team: Team;
}

/** The data that other features have of the people who use consoles. */
interface OperatorHooks {
  operatorData: OperatorData;
}

type Below = Platform & Hooked<OperatorHooks> & {
  config: { ops: OpsConfig; organisations: Record<OrganisationKey, MailOrganisation> };
};

export const operatorsFeature = defineFeature({
  name: "operators",
  tables: [...operatorTables, invitationLimits],
  settings: operatorsSettings,
  create({ config: { ops, organisations }, hooks, ...below }: Below): OperatorsServices {
    const operators = createOperators({ ...below, ops });
    const operatorData = () => hooks.operatorData?.() ?? [];
    return { operators, team: createTeam({ ...below, operators, organisations, operatorData }) };
  },
});
