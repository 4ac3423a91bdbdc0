import { z } from "zod";

/** JSON-RPC 2.0 error codes (its section 5.1), and the one for refusals before JSON-RPC. */
export const RpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Of the range left to servers: the HTTP gate refused the request. */
  refused: -32000,
} as const;

/** An integer beyond this loses digits on the way through JSON, and would be echoed wrong. */
const id = z.union([z.string(), z.int()]);
const params = z.looseObject({}).optional();
const jsonrpc = z.literal("2.0");
const absent = z.never().optional();

const request = z.object({ jsonrpc, id, method: z.string(), params });

/** What a client sends that wants an answer. Never a null id (MCP, unlike JSON-RPC). */
export type RpcRequest = z.infer<typeof request>;
export type RpcId = RpcRequest["id"];

export interface RpcSuccess {
  jsonrpc: "2.0";
  id: RpcId;
  result: unknown;
}

export interface RpcFailure {
  jsonrpc: "2.0";
  /** Null where the request's own id cannot be known. */
  id: RpcId | null;
  error: { code: number; message: string };
}

export type RpcAnswer = RpcSuccess | RpcFailure;

/** Thrown by a method to answer with an error; its message is for the client. */
export class RpcError extends Error {
  override name = "RpcError";
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

export function success(id: RpcId, result: unknown): RpcSuccess {
  return { jsonrpc: "2.0", id, result };
}

export function failure(
  id: RpcId | null,
  code: number,
  message: string,
): RpcFailure {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** What a parsed value is as JSON-RPC. A notification or a response gets no answer. */
export type Message =
  | { kind: "request"; request: RpcRequest }
  | { kind: "silent" }
  | { kind: "invalid"; answer: RpcFailure };

const SILENT: Message = { kind: "silent" };

/**
 * Tells requests from notifications, responses and what is none of them.
 *
 * @param value any parsed JSON value that is not a batch
 */
export function readMessage(value: unknown): Message {
  const parsed = request.safeParse(value);
  if (parsed.success) return { kind: "request", request: parsed.data };
  if (
    notification.safeParse(value).success || response.safeParse(value).success
  ) return SILENT;
  const known = z.object({ id }).safeParse(value);
  return {
    kind: "invalid",
    answer: failure(
      known.success ? known.data.id : null,
      RpcCode.invalidRequest,
      "Invalid Request: not a JSON-RPC 2.0 message",
    ),
  };
}

const notification = z.object({
  jsonrpc,
  id: absent,
  method: z.string(),
  params,
});
const response = z.union([
  z.object({ jsonrpc, id, method: absent, result: z.looseObject({}) }),
  z.object({
    jsonrpc,
    id: id.nullable(),
    method: absent,
    error: z.looseObject({ code: z.number(), message: z.string() }),
  }),
]);

/** `initialize`: any revision may be asked for; ours is always the answer. */
export const initializeParams = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() })
    .optional(),
});

/** `tools/list`: one page holds all tools, so no cursor was ever given out. */
export const listParams = z.looseObject({
  cursor: z.undefined({ error: "this list has no pages" }).optional(),
});

/** `tools/call` */
export const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/**
 * What is wrong, in one line: `events.0: expected an object; …`. At most three issues and 500
 * characters, for a caller may have sent thousands of unknown names.
 */
export function issuesLine(error: z.ZodError): string {
  return error.issues.slice(0, 3)
    .map(({ path, message }) => path.length ? `${path.join(".")}: ${message}` : message)
    .join("; ").slice(0, 500);
}
