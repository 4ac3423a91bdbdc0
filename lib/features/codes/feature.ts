/** Registers one-time codes by SMS and voice with the site: tables, settings, services and hooks. */
import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { ContactServices } from "../contact/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import { codeData, type CodeProvider, type Codes, createCodes } from "./mod.ts";
import { type CodesConfig, codesSettings } from "./variables.ts";
import { createPhone, type Phone } from "./providers/mod.ts";
import { codeTables } from "./tables.ts";
import { codesSent } from "./send.ts";

interface CodeServices {
  /** The provider of codes by SMS and voice. */
  phone: Phone;
  /** One-time codes by SMS and voice. */
  codes: Codes;
}

type Below = Platform & ChainServices & ContactServices & RecordServices & {
  config: {
    codes: CodesConfig;
    organisations: Record<OrganisationKey, OrganisationConfig>;
    signInClientLimit: number;
  };
  overrides: { codeProvider?: CodeProvider };
};

export const codesFeature = defineFeature({
  name: "codes",
  tables: codeTables,
  settings: codesSettings,
  metrics: [codesSent],
  create({ config, live, overrides, contactIndex, surfaces, ...below }: Below): CodeServices {
    const trust = surfaces.get("trust")?.organisation ?? "commercial";
    const { name } = config.organisations[trust];
    const current = live(
      () => config.codes,
      (codes) =>
        createPhone({ ...below, config: codes, baseUrl: surfaces.url("trust"), site: name }),
    );
    const { provider, ...first } = current();
    const phone: Phone = {
      ...first,
      provider: provider && {
        name: provider.name,
        send: (message) => current().provider!.send(message),
      },
      get callbacks() {
        return current().callbacks;
      },
    };
    const host = new URL(surfaces.url("trust") ?? "http://localhost").hostname;
    return {
      phone,
      codes: createCodes({
        ...below,
        index: contactIndex,
        provider: overrides.codeProvider ?? phone.provider,
        channels: overrides.codeProvider ? ["sms", "voice"] : phone.channels,
        deliveries: phone.deliveries,
        config: config.codes,
        clientLimit: config.signInClientLimit,
        site: { host, name },
      }),
    };
  },
  hooks: { recordData: ({ kv, contactIndex }) => [codeData({ kv, index: contactIndex })] },
  close: ({ codes }, limitMs) => codes.close(limitMs),
});
