import { defineFeature, type Platform } from "../../platform/feature.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { OAuthServices } from "../oauth/feature.ts";
import { type Api, createApi } from "./mod.ts";

interface ApiServices {
  api: Api;
}

type Below = Platform & OAuthServices & {
  config: { organisations: Record<OrganisationKey, OrganisationConfig> };
};

export const apiFeature = defineFeature({
  name: "api",
  create: ({ surfaces, oauth, config: { organisations } }: Below): ApiServices => ({
    api: createApi({ surfaces, organisations, oauth }),
  }),
});
