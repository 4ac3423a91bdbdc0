/** Adds the organisations' MCP servers to the site, with their settings, rate limits and data. */
import { MINUTE_MS } from "../../base/time.ts";
import { origins, wholeNumber } from "../../platform/config/fields.ts";
import { defineSettings } from "../../platform/config/settings.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import { defineFeature, type Platform } from "../../platform/feature.ts";
import { createRateLimiter, type RateLimiter } from "../../platform/http/rate_limit.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { counter, ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import type { ChainServices } from "../chain/feature.ts";
import type { DocumentServices } from "../documents/feature.ts";
import type { LogServices } from "../log/feature.ts";
import type { QualificationServices } from "../qualifications/feature.ts";
import type { RecordServices } from "../records/feature.ts";
import type { StandardServices } from "../standard/feature.ts";
import { type Manifest, mcpTools, RECORD_REQUESTS_PER_MINUTE } from "./mod.ts";
import { statedLog } from "./stated_log.ts";
import { createMcpServer, type McpServer } from "./server.ts";
import { createManifest } from "./manifest.ts";

export interface McpServices {
  manifests: Record<OrganisationKey, Manifest>;
  mcp: Record<OrganisationKey, McpServer>;
  /** Counts the requests of each record, across its tokens and servers. */
  recordLimiter: RateLimiter;
}

type Below =
  & Platform
  & ChainServices
  & LogServices
  & DocumentServices
  & QualificationServices
  & RecordServices
  & StandardServices
  & {
    config: {
      mcp: { rateLimit: number; allowedOrigins: readonly string[] };
      organisations: Record<OrganisationKey, OrganisationConfig>;
    };
  };

const MAX_CLIENTS = 10_000;

const settings = defineSettings({
  variables: {
    MCP_RATE_LIMIT: wholeNumber("requests per minute up to 6000, 0 for no limit", 6000).default(60),
    MCP_ALLOWED_ORIGINS: origins.default([]),
  },
  config: ({ MCP_RATE_LIMIT: rateLimit, MCP_ALLOWED_ORIGINS: allowedOrigins }) => ({
    mcp: {
      /** Requests per minute from one client address; 0 for no limit. */
      rateLimit,
      /** Browser origins that may call `/mcp` besides our own surfaces. */
      allowedOrigins,
    },
  }),
  off: ({ mcp: { rateLimit } }) =>
    rateLimit === 0 ? ["the MCP servers' rate limit: MCP_RATE_LIMIT is 0"] : [],
});

const mcpCalls = counter("mcp_calls", "Calls of MCP tools.", {
  organisation: ORGANISATIONS,
  tool: null,
});

export const mcpFeature = defineFeature({
  name: "mcp",
  settings,
  metrics: [mcpCalls],
  create(below: Below): McpServices {
    const { config, monotonic, surfaces, standard, catalogue, chains, records, documents } = below;
    const { rateLimit, allowedOrigins } = config.mcp;
    const limiter = (limit: number) =>
      createRateLimiter({ limit, windowMs: MINUTE_MS, monotonic, maxClients: MAX_CLIENTS });
    const recordLimiter = limiter(rateLimit && Math.max(rateLimit, RECORD_REQUESTS_PER_MINUTE));
    const manifests = {
      foundation: manifestOf(below, "foundation"),
      commercial: manifestOf(below, "commercial"),
    };
    const server = (organisation: OrganisationKey) =>
      createMcpServer({
        manifest: manifests[organisation],
        tools: mcpTools,
        deps: {
          manifest: manifests[organisation],
          surfaces: () => listSurfaces(surfaces),
          standard,
          catalogue,
          chains,
          logOf: (chain) => statedLog(below, chain),
          recordOf: async (hash) => {
            const record = await records.read(hash);
            return record && { level: record.row.level, documents: await documents.list(hash) };
          },
        },
        allowedOrigins: (origin) => surfaces.isOwnOrigin(origin) || allowedOrigins.includes(origin),
        rateLimiter: limiter(rateLimit),
        recordLimiter,
        onCall: (tool) => below.count(mcpCalls, { organisation, tool }),
        log: (event, error) => {
          const stack = error instanceof Error ? error.stack : String(error);
          below.log({ level: "error", event, stack });
        },
      });
    const mcp = { foundation: server("foundation"), commercial: server("commercial") };
    return { manifests, mcp, recordLimiter };
  },
});

function manifestOf({ config, surfaces }: Below, organisation: OrganisationKey): Manifest {
  const { name, description, contactEmail } = config.organisations[organisation];
  return createManifest({
    organisation,
    organisationName: name,
    description,
    contactEmail,
    requestsPerMinute: config.mcp.rateLimit || null,
    siteBaseUrl: surfaces.url(organisation) ?? "",
    mcpBaseUrl: surfaces.url(`${organisation}-mcp`) ?? "",
  });
}

/** Returns the surfaces with the paths that they serve, for the MCP tool. */
const listSurfaces = (surfaces: Surfaces) =>
  surfaces.all.filter(({ servesAll }) => !servesAll).map(({ name, baseUrl, purpose, routes }) => ({
    name,
    url: baseUrl,
    purpose,
    shows: routes.filter(({ off }) => off === undefined).map(({ path }) => path),
  }));
