import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { BankServices } from "../bank/feature.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { PushServices } from "../push/feature.ts";
import { createInfra, type Infra, type InfraOptions } from "./mod.ts";

export interface InfraServices {
  /** Checks of the services that the deployment depends on. */
  infra: Infra;
}

type Below = Platform & BankServices & ChainServices & PushServices & {
  config: InfraOptions["config"];
};

export const infraFeature = defineFeature({
  name: "infra",
  create: ({ treasuries, ...below }: Below): InfraServices => ({
    infra: createInfra({
      ...below,
      lastBankResponse: (organisation) => treasuries[organisation].lastResponse(),
    }),
  }),
  stop: ({ infra }) => infra.close(),
});
