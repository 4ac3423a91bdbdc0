import { z } from "zod";

/** What a checked server's answers must look like. Further members are welcome. */

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

/** RFC 8414 section 2, with the PKCE that OAuth 2.1 requires. */
export const oauthMetadata = z.looseObject({
  issuer: url,
  authorization_endpoint: url,
  token_endpoint: url,
  response_types_supported: z.array(z.string()).refine((types) => types.includes("code"), {
    error: 'expected "code" among them',
  }),
  code_challenge_methods_supported: z.array(z.string()).refine((all) => all.includes("S256"), {
    error: 'expected "S256" among them',
  }),
});

/** The parts of the server card (spec 2.7) that a live server can contradict. */
export const card = z.looseObject({
  protocolVersion: z.string(),
  serverInfo,
  transport: z.looseObject({ type: z.literal("streamable-http"), url }),
  capabilities: z.looseObject({ tools: z.boolean() }),
});

/** The same of the descriptor. */
export const descriptor = z.looseObject({
  server_name: text,
  server_version: text,
  endpoints: z.looseObject({ streamable_http: url }),
  capabilities: z.looseObject({ tools: z.boolean() }),
});
