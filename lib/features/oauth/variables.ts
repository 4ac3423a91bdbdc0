import { z } from "zod";
import { wholeNumber } from "../../platform/config/fields.ts";
import { defineSettings, type Deployment } from "../../platform/config/settings.ts";

/** The ways in which clients find the authorization servers' metadata (docs/agents.md). */
export type OAuthMode = "published" | "challenge";

export interface OAuthConfig {
  mode: OAuthMode;
  /** Registrations of clients per hour from one client address; 0 for no limit. */
  registrationLimit: number;
}

function oauthOff({ oauth, surfaceHosts }: { oauth: OAuthConfig } & Deployment): string[] {
  if (!surfaceHosts["foundation-mcp"] && !surfaceHosts["commercial-mcp"]) return [];
  if (!surfaceHosts.trust) {
    return ["signing in to the MCP servers: SURFACE_HOSTS does not name the trust surface"];
  }
  return oauth.registrationLimit === 0
    ? ["the limit of registrations of MCP clients: MCP_REGISTRATION_LIMIT is 0"]
    : [];
}

export const oauthSettings = defineSettings({
  variables: {
    MCP_OAUTH: z.enum(["published", "challenge"], "published or challenge").default("published"),
    MCP_REGISTRATION_LIMIT: wholeNumber("registrations per hour up to 5000, 0 for no limit", 5000)
      .default(120),
  },
  config: (
    { MCP_OAUTH: mode, MCP_REGISTRATION_LIMIT: registrationLimit },
  ): { oauth: OAuthConfig } => ({ oauth: { mode, registrationLimit } }),
  off: oauthOff,
});
