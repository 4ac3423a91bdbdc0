import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { RecordServices } from "../records/feature.ts";
import { createPasskeys, passkeyData, type Passkeys } from "./mod.ts";
import { passkeyTables } from "./tables.ts";
import { type PasskeyConfig, passkeysSettings } from "./variables.ts";

export interface PasskeyServices {
  passkeys: Passkeys;
}

type Below = Platform & RecordServices & {
  config: {
    passkeys: PasskeyConfig;
    organisations: Record<OrganisationKey, OrganisationConfig>;
  };
};

export const passkeysFeature = defineFeature({
  name: "passkeys",
  tables: passkeyTables,
  settings: passkeysSettings,
  create: ({ config: { passkeys, organisations }, ...below }: Below): PasskeyServices => ({
    passkeys: createPasskeys({ ...below, config: passkeys, organisations }),
  }),
  hooks: { recordData: (services) => [passkeyData(services)] },
});
