/** Adds passkeys to the site: their tables, settings and services. */
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { createDerivedValues } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import type { OperatorData } from "../operators/mod.ts";
import { createPasskeyNotices } from "./operators/mails.ts";
import { createOperatorPasskeys, type OperatorPasskeys } from "./operators/mod.ts";
import { accounts, OPERATORS } from "./operators/tables.ts";
import { createRelyingParty } from "./relying_party.ts";
import { passkeyTables } from "./tables.ts";
import { type OperatorPasskeysConfig, passkeysSettings } from "./variables.ts";

interface PasskeyServices {
  operatorPasskeys: OperatorPasskeys;
}

type Below = Platform & OperatorsServices & {
  config: {
    operatorPasskeys: OperatorPasskeysConfig;
    organisations: Record<OrganisationKey, OrganisationConfig>;
  };
};

export const passkeysFeature = defineFeature({
  name: "passkeys",
  tables: passkeyTables,
  settings: passkeysSettings,
  create({ config, ...below }: Below): PasskeyServices {
    const { organisations, operatorPasskeys } = config;
    const deps = {
      ...below,
      derived: createDerivedValues(below),
      kind: OPERATORS,
      required: operatorPasskeys.required,
      notices: createPasskeyNotices({ ...below, organisations }),
      partyOf: (surface: { baseUrl: string; organisation: OrganisationKey }) =>
        createRelyingParty(surface, `${organisations[surface.organisation].name} console`),
    };
    return { operatorPasskeys: createOperatorPasskeys(deps) };
  },
  deletesDue: ({ operatorPasskeys }) => ({ [accounts.prefix]: operatorPasskeys.eraseOrphan }),
  hooks: {
    operatorData: ({ operatorPasskeys }): OperatorData => ({ erase: operatorPasskeys.erase }),
  },
});
