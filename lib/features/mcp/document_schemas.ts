/** The schemas of the MCP discovery documents under `/.well-known/`. */
import { z } from "zod";

const capability = z.boolean();

/** The response of `GET /.well-known/mcp/server-card.json` (spec 2.7). */
export const serverCardSchema = z.object({
  $schema: z.url(),
  version: z.string(),
  protocolVersion: z.string(),
  serverInfo: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    homepage: z.url(),
  }),
  transport: z.object({ type: z.string(), url: z.url() }),
  capabilities: z.object({ tools: capability, resources: capability, prompts: capability }),
  authentication: z.object({
    required: z.boolean(),
    methods: z.array(z.string()),
    note: z.string(),
  }),
  contact: z.object({ email: z.string() }),
});

/** The response of `GET /.well-known/mcp` (spec 2.7). */
export const serverDescriptorSchema = z.object({
  mcp_version: z.string(),
  server_name: z.string(),
  server_version: z.string(),
  endpoints: z.object({ streamable_http: z.url() }),
  capabilities: z.object({
    tools: capability,
    resources: capability,
    prompts: capability,
    sampling: capability,
    roots: capability,
  }),
  authentication: z.object({
    required: z.boolean(),
    methods: z.array(z.string()),
    oauth2: z.object({ authorization_endpoint: z.url(), token_endpoint: z.url() }),
  }),
  security: z.object({
    tls_required: z.boolean(),
    min_tls_version: z.string(),
    security_contact: z.string(),
  }),
  rate_limits: z.object({
    requests_per_minute: z.int().nullable().describe("Null if there is no limit."),
  }),
});
