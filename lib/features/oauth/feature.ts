/** Adds OAuth to the site: the authorization servers of the MCP hosts, their tables and the tokens. */
import { defineFeature, type Hooked, type Platform } from "../../platform/feature.ts";
import type { Network } from "../../platform/http/pinned_fetch.ts";
import type { McpServices } from "../mcp/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import {
  agentData,
  createOAuth,
  createTokens,
  type OAuth,
  type OnGrantEnd,
  type Tokens,
} from "./mod.ts";
import { oauthTables } from "./tables.ts";
import { type OAuthConfig, oauthSettings } from "./variables.ts";

export interface OAuthServices {
  /** The authorization servers of the MCP hosts. */
  oauth: OAuth;
  /** The tokens that these servers issue. */
  tokens: Tokens;
}

/** The hooks through which other features take part when a grant ends. */
interface OAuthHooks {
  onGrantEnd: OnGrantEnd;
}

type Below = Platform & Hooked<OAuthHooks> & McpServices & RecordServices & {
  config: { oauth: OAuthConfig; mcp: { rateLimit: number } };
  overrides: { network?: Network };
};

const onGrantEnd = ({ hooks }: Below): OnGrantEnd => async (grant) => {
  for (const end of hooks.onGrantEnd?.() ?? []) await end(grant);
};

export const oauthFeature = defineFeature({
  name: "oauth",
  tables: oauthTables,
  settings: oauthSettings,
  create(below: Below): OAuthServices {
    const { config, overrides, records, ...platform } = below;
    const oauth = createOAuth({
      ...platform,
      config: config.oauth,
      requestLimit: config.mcp.rateLimit,
      network: overrides.network,
      notices: records.notices,
      onGrantEnd: onGrantEnd(below),
    });
    const tokens = createTokens({ ...platform, oauth, onGrantEnd: onGrantEnd(below) });
    return { oauth, tokens };
  },
  hooks: {
    recordData: (services) => [agentData({ ...services, onGrantEnd: onGrantEnd(services) })],
  },
});
