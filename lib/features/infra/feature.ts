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
  create({ treasuries, ...below }: Below): InfraServices {
    const { config, live } = below;
    const current = live(
      () => [config.bank, config.codes, config.documents, config.mail, config.relays],
      () =>
        createInfra({
          ...below,
          lastBankResponse: (organisation) => treasuries[organisation].lastResponse(),
        }),
      (old) => void old.close(),
    );
    return {
      infra: {
        map: (organisation) => current().map(organisation),
        health: (organisation) => current().health(organisation),
        checks: () => current().checks(),
        publicStatus: () => current().publicStatus(),
        close: () => current().close(),
      },
    };
  },
  stop: ({ infra }) => infra.close(),
});
