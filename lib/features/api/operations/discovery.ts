/** Descriptions of the operations at well-known addresses, such as the MCP server's descriptor. */
import { z } from "zod";
import {
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
  serverCardSchema,
  serverDescriptorSchema,
} from "../../mcp/mod.ts";
import { androidSchema, appleSchema, webauthnSchema } from "../../passkeys/mod.ts";
import { PUBLIC } from "../../../platform/http/cors.ts";
import { NOT_MODIFIED, type Operation, type OperationError } from "../operation.ts";

const MCP_SURFACES = ["foundation-mcp", "commercial-mcp", "foundation", "commercial"] as const;

const NOT_CONFIGURED: OperationError = {
  codes: ["not_found"],
  description: "Nothing is configured.",
};

const mcp = {
  group: "Discovery",
  method: "get",
  surfaces: MCP_SURFACES,
  properties: { audience: "programs" },
  cors: PUBLIC,
  requestHeaders: ["If-None-Match"],
  errors: {},
} as const;

const published = {
  group: "Discovery",
  method: "get",
  surfaces: ["trust"],
  properties: { audience: "programs" },
} as const;

export const readServerDescriptor = {
  ...mcp,
  id: "readServerDescriptor",
  path: SERVER_DESCRIPTOR_PATH,
  summary: "Get the MCP server's descriptor",
  description: "Describes the MCP server of an organisation. The server itself speaks the " +
    "Model Context Protocol at `/mcp`, which describes its own tools.",
  responses: {
    200: { description: "The descriptor.", schema: serverDescriptorSchema, headers: ["ETag"] },
    304: NOT_MODIFIED,
  },
  example: {
    response: {
      mcp_version: "1.0",
      server_name: "open-records-foundation",
      server_version: "1.0.0",
      endpoints: { streamable_http: "https://mcp.foundation.example/mcp" },
      capabilities: {
        tools: true,
        resources: false,
        prompts: false,
        sampling: false,
        roots: false,
      },
      authentication: {
        required: false,
        methods: ["oauth2"],
        oauth2: {
          authorization_endpoint: "https://mcp.foundation.example/authorize",
          token_endpoint: "https://mcp.foundation.example/token",
        },
      },
      security: {
        tls_required: true,
        min_tls_version: "1.2",
        security_contact: "contact@foundation.example",
      },
      rate_limits: { requests_per_minute: 60 },
    },
  },
} satisfies Operation;

export const readServerCard = {
  ...mcp,
  id: "readServerCard",
  path: SERVER_CARD_PATH,
  summary: "Get the MCP server's card",
  description: "Describes the MCP server of an organisation in the format of server cards.",
  responses: {
    200: { description: "The card.", schema: serverCardSchema, headers: ["ETag"] },
    304: NOT_MODIFIED,
  },
  example: {
    response: {
      $schema: "https://modelcontextprotocol.io/schemas/server-card/v1.0",
      version: "1.0",
      protocolVersion: "2025-03-26",
      serverInfo: {
        name: "open-records-foundation",
        version: "1.0.0",
        description: "Steward of the open standard for verifiable records.",
        homepage: "https://foundation.example",
      },
      transport: { type: "streamable-http", url: "https://mcp.foundation.example/mcp" },
      capabilities: { tools: true, resources: false, prompts: false },
      authentication: {
        required: false,
        methods: ["oauth2"],
        note: "Unauthenticated access available; OAuth 2.1 with PKCE for enhanced access",
      },
      contact: { email: "contact@foundation.example" },
    },
  },
} satisfies Operation;

export const readRelatedOrigins = {
  ...published,
  id: "readRelatedOrigins",
  path: "/.well-known/webauthn",
  summary: "Get the origins of passkeys",
  description: "The other origins whose pages may use the passkeys (WebAuthn, related origins).",
  responses: { 200: { description: "The origins.", schema: webauthnSchema } },
  errors: { 404: NOT_CONFIGURED },
  example: { response: { origins: ["https://records.example"] } },
} satisfies Operation;

export const readAppleApps = {
  ...published,
  id: "readAppleApps",
  path: "/.well-known/apple-app-site-association",
  summary: "Get the apps for iOS",
  description: "The apps that may use the passkeys on Apple's systems.",
  responses: { 200: { description: "The apps.", schema: appleSchema } },
  errors: { 404: NOT_CONFIGURED },
  example: { response: { webcredentials: { apps: ["ABCDE12345.example.records"] } } },
} satisfies Operation;

export const readAndroidApps = {
  ...published,
  id: "readAndroidApps",
  path: "/.well-known/assetlinks.json",
  summary: "Get the apps for Android",
  description: "The apps that may use the passkeys on Android.",
  responses: { 200: { description: "The apps.", schema: androidSchema } },
  errors: { 404: NOT_CONFIGURED },
  example: {
    response: [{
      relation: ["delegate_permission/common.get_login_creds"],
      target: {
        namespace: "android_app",
        package_name: "example.records",
        sha256_cert_fingerprints: [Array(32).fill("AB").join(":")],
      },
    }],
  },
} satisfies Operation;

export const readOpenApi = {
  id: "readOpenApi",
  group: "Discovery",
  method: "get",
  path: "/openapi.json",
  surfaces: ["api"],
  summary: "Get this document",
  description: "Describes the API (OpenAPI 3.1), to any origin.",
  cors: PUBLIC,
  requestHeaders: ["If-None-Match"],
  responses: {
    200: {
      description: "The document.",
      schema: z.looseObject({ openapi: z.literal("3.1.1") }),
      headers: ["ETag"],
    },
    304: NOT_MODIFIED,
  },
  errors: {},
  example: { response: { openapi: "3.1.1" } },
} satisfies Operation;

export const DISCOVERY_OPERATIONS: readonly Operation[] = [
  readServerDescriptor,
  readServerCard,
  readRelatedOrigins,
  readAppleApps,
  readAndroidApps,
  readOpenApi,
];
