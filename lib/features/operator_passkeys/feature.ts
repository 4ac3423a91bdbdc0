import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { OperatorsServices } from "../operators/feature.ts";
import { createRelyingParty } from "../webauthn/mod.ts";
import { createPasskeyNotices } from "./mails.ts";
import { createOperatorPasskeys, type OperatorPasskeys } from "./mod.ts";
import { operatorPasskeyTables } from "./tables.ts";
import { type OperatorPasskeysConfig, operatorPasskeysSettings } from "./variables.ts";

export interface OperatorPasskeysServices {
  operatorPasskeys: OperatorPasskeys;
}

type Below = Platform & OperatorsServices & {
  config: {
    operatorPasskeys: OperatorPasskeysConfig;
    organisations: Record<OrganisationKey, MailOrganisation>;
  };
};

export const operatorPasskeysFeature = defineFeature({
  name: "operator_passkeys",
  tables: operatorPasskeyTables,
  settings: operatorPasskeysSettings,
  create({ config, ...below }: Below): OperatorPasskeysServices {
    const { organisations, operatorPasskeys } = config;
    const notices = createPasskeyNotices({ ...below, organisations });
    const deps = {
      ...below,
      notices,
      partyOf: (
        surface: Parameters<typeof createRelyingParty>[0] & {
          organisation: OrganisationKey;
        },
      ) => createRelyingParty(surface, `${organisations[surface.organisation].name} console`),
    };
    return { operatorPasskeys: createOperatorPasskeys(deps, operatorPasskeys) };
  },
  jobs: ({ operatorPasskeys }) => [{
    name: "operator_passkeys",
    title: "Erasing passkeys of people who left",
    everyMs: DAY_MS,
    dailyAtMs: 4 * HOUR_MS,
    maxMs: MINUTE_MS,
    run: async ({ signal }) => `${await operatorPasskeys.eraseOrphans(signal)} erased`,
  }],
});
