import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type Api, createApi } from "./mod.ts";

export interface ApiServices {
  /** The description of the API. */
  api: Api;
}

type Below = Platform & {
  config: { organisations: Record<OrganisationKey, OrganisationConfig> };
};

export const apiFeature = defineFeature({
  name: "api",
  create: ({ surfaces, config: { organisations } }: Below): ApiServices => ({
    api: createApi({ surfaces, organisations }),
  }),
});
