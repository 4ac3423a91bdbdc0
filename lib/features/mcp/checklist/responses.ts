/** The schemas and checks of an MCP server's responses that several points of the checklist share. */
import { z } from "zod";
import { issuesLine } from "../protocol.ts";
import type { Reply } from "./probe.ts";

/** The findings of a point. With errors it fails; with only notes it is noted. */
export interface Findings {
  errors: string[];
  notes: string[];
}

/** The first exchange, which several points check. */
export interface Handshake {
  reply: Reply | undefined;
  result: unknown;
}

export function resultOf(reply: Reply | undefined): unknown {
  return (reply?.json as { result?: unknown } | undefined)?.result;
}

export const statusOf = (reply: Reply | undefined): string =>
  reply ? String(reply.status) : "no response";

/** Returns why a value doesn't match a schema, in at most one line. */
export function schemaIssues(what: string, schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : [`${what}: ${issuesLine(parsed.error)}`];
}

/** Returns the errors in the JSON-RPC envelope of a response. */
export function responseErrors(what: string, response: unknown, id: number): string[] {
  if (typeof response !== "object" || response === null) return [`${what} got no JSON response`];
  const { jsonrpc, id: received, result, error } = response as Record<string, unknown>;
  const errors: string[] = [];
  if (jsonrpc !== "2.0") errors.push(`the response to ${what} lacks "jsonrpc": "2.0"`);
  if (received !== id) {
    errors.push(`the response to ${what} has the id ${JSON.stringify(received)}, not ${id}`);
  }
  if ((result === undefined) === (error === undefined)) {
    errors.push(`the response to ${what} must have either result or error`);
  }
  return errors;
}

/** Returns an error unless the reply is a JSON-RPC error with the expected code. */
export function codeErrors(what: string, reply: Reply | undefined, code: number): string[] {
  const { error } = (reply?.json ?? {}) as { error?: { code?: unknown; message?: unknown } };
  if (error?.code === code && typeof error.message === "string") return [];
  return [`${what} returned ${error ? error.code : statusOf(reply)}, not the error ${code}`];
}

// The required members of a server's responses. Additional members are allowed.

const text = z.string().min(1);
const url = z.url();

export const initializeResult = z.looseObject({
  protocolVersion: text,
  capabilities: z.looseObject({ tools: z.looseObject({}).optional() }),
});

export const serverInfo = z.looseObject({ name: text, version: text });

export const toolsResult = z.looseObject({
  tools: z.array(z.looseObject({
    name: text,
    description: text,
    inputSchema: z.unknown(),
    annotations: z.looseObject({
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
    }).optional(),
  })),
  nextCursor: z.string().optional(),
});

export type ListedTool = z.infer<typeof toolsResult>["tools"][number];

export const callResult = z.looseObject({
  content: z.array(z.union([
    z.looseObject({ type: z.literal("text"), text: z.string() }),
    z.looseObject({ type: z.enum(["image", "audio", "resource"]) }),
  ])).min(1),
  isError: z.boolean().optional(),
});

const listOf = (value: string) =>
  z.array(z.string()).refine((values) => values.includes(value), {
    error: `"${value}" is missing`,
  });

/** RFC 8414, section 2, with PKCE, which OAuth 2.1 requires. */
export const oauthMetadata = z.looseObject({
  issuer: url,
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  response_types_supported: listOf("code"),
  code_challenge_methods_supported: listOf("S256"),
});

/** RFC 9728, section 2. */
export const resourceMetadata = z.looseObject({
  resource: url,
  authorization_servers: z.array(z.url({ protocol: /^https?$/ })).min(1),
});

/** The members of the server card (spec 2.7) that a running server can contradict. */
export const card = z.looseObject({
  protocolVersion: z.string(),
  serverInfo,
  transport: z.looseObject({ type: z.literal("streamable-http"), url }),
  capabilities: z.looseObject({ tools: z.boolean() }),
});

/** The same members of the server descriptor. */
export const descriptor = z.looseObject({
  server_name: text,
  server_version: text,
  endpoints: z.looseObject({ streamable_http: url }),
  capabilities: z.looseObject({ tools: z.boolean() }),
});

/** The OAuth endpoints that the server descriptor names. */
export const descriptorOAuth = z.looseObject({
  endpoints: z.looseObject({ streamable_http: url }),
  authentication: z.looseObject({
    oauth2: z.looseObject({ authorization_endpoint: url, token_endpoint: url }),
  }),
});
