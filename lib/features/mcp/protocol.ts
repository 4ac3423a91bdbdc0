/** The messages of JSON-RPC 2.0 and MCP revision 2025-03-26: their schemas, classification and errors. */
import { z } from "zod";

/**
 * JSON-RPC 2.0 error codes (section 5.1), and one for requests that are rejected before JSON-RPC.
 */
export const RpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** A refused request. The code is in the range for server errors. */
  refused: -32000,
} as const;

/**
 * Matches an `MCP-Protocol-Version` header that names revisions: a date, or several with commas, as
 * `Headers` joins a header that was sent twice.
 */
export const VERSIONS = /^\d{4}-\d\d-\d\d([ \t]*,[ \t]*\d{4}-\d\d-\d\d)*$/;

const VERSION = /^\d{4}-\d\d-\d\d$/;

/** The first revision without `initialize`. Each of its requests names the version in `_meta`. */
const FIRST_STATELESS = "2026-07-28";

/**
 * Returns whether a message names, in its `_meta`, a revision without `initialize`, or something
 * that is not a version. It does not validate the message.
 */
export function isStateless(message: unknown): boolean {
  const { params } = (message ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (version === undefined) return false;
  return !(typeof version === "string" && VERSION.test(version) && version < FIRST_STATELESS);
}

/**
 * Client requests that are defined only in later revisions. Some clients fall back to `initialize`
 * only if these return HTTP 404.
 */
export const LATER_METHODS: ReadonlySet<string> = new Set([
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/list",
  "tasks/result",
  "tasks/update",
]);

// Larger integers lose precision in JSON, so the response would have a different id.
const id = z.union([z.string(), z.int()]);
const params = z.looseObject({}).nullish();
const jsonrpc = z.literal("2.0");
const absent = z.never().optional();

const request = z.object({ jsonrpc, id, method: z.string(), params });
const notification = z.object({ jsonrpc, id: absent, method: z.string(), params });
const response = z.union([
  z.object({ jsonrpc, id, method: absent, result: z.looseObject({}) }),
  z.object({
    jsonrpc,
    id: id.nullable(),
    method: absent,
    error: z.looseObject({ code: z.number(), message: z.string() }),
  }),
]);

/** A message that expects a response. Unlike in JSON-RPC, the id must not be null. */
export type RpcRequest = z.infer<typeof request>;
export type RpcId = RpcRequest["id"];

interface RpcSuccess {
  jsonrpc: "2.0";
  id: RpcId;
  result: unknown;
}

export interface RpcFailure {
  jsonrpc: "2.0";
  /** Null if the id of the request is unknown. */
  id: RpcId | null;
  error: { code: number; message: string };
}

export type RpcResponse = RpcSuccess | RpcFailure;

/** Thrown by a method to return an error. The client sees the message. */
export class RpcError extends Error {
  override name = "RpcError";
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

export const success = (id: RpcId, result: unknown): RpcSuccess => ({ jsonrpc: "2.0", id, result });

export const failure = (id: RpcId | null, code: number, message: string): RpcFailure => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** The JSON of results that never change. */
const constants = new WeakMap<object, string>();

/** Marks a result that never changes, so that it is converted to JSON once. Returns the result. */
export function constant<Result extends object>(result: Result): Result {
  constants.set(result, JSON.stringify(result));
  return result;
}

export function toJson(body: RpcResponse | RpcResponse[]): string {
  const json = "result" in body ? constants.get(body.result as object) : undefined;
  return json === undefined
    ? JSON.stringify(body)
    : `{"jsonrpc":"2.0","id":${JSON.stringify((body as RpcSuccess).id)},"result":${json}}`;
}

/**
 * A classified JSON-RPC message. Notifications and responses are `silent`, because they get no
 * response.
 */
type Message =
  | { kind: "request"; request: RpcRequest }
  | { kind: "silent" }
  | { kind: "invalid"; response: RpcFailure };

const SILENT: Message = { kind: "silent" };

/**
 * Classifies one message.
 *
 * @param value any parsed JSON value except a batch
 */
export function readMessage(value: unknown): Message {
  if (isPlainRequest(value)) return { kind: "request", request: value };
  const parsed = request.safeParse(value);
  if (parsed.success) return { kind: "request", request: parsed.data };
  if (notification.safeParse(value).success || response.safeParse(value).success) return SILENT;
  const known = z.object({ id }).safeParse(value);
  const message = "Invalid Request: not a JSON-RPC 2.0 message";
  return {
    kind: "invalid",
    response: failure(known.success ? known.data.id : null, RpcCode.invalidRequest, message),
  };
}

/** Accepts almost all requests that the schema accepts, in a fraction of its time. */
function isPlainRequest(value: unknown): value is RpcRequest {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params } = value;
  return jsonrpc === "2.0" && (typeof id === "string" || Number.isSafeInteger(id)) &&
    typeof method === "string" && (params === undefined || isObject(params));
}

/** Returns an object without the members that are null, because large clients send null for what is absent. */
export function withoutNulls(value: unknown): unknown {
  if (!isObject(value) || !Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parameters of `initialize`. A client may request any revision, and always gets ours. */
export const initializeParams = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }).optional(),
});

/** The parameters of `tools/list`. All tools are on one page, so no cursor is valid. */
export const listParams = z.looseObject({
  cursor: z.undefined({ error: "this list has no pages" }).optional(),
});

export const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Returns whether the schema accepts the parameters of a call unchanged, which it almost always
 * does. It drops `__proto__`.
 */
export const isPlainCall = (params: unknown): params is z.output<typeof callParams> =>
  isObject(params) && typeof params.name === "string" && isObject(params.arguments) &&
  !Object.hasOwn(params.arguments, "__proto__");

/**
 * Returns the first three issues in one line: `limit: send a whole number, not text; …`. Limited to 500
 * characters, because a client may send thousands of unknown names.
 */
export function issuesLine(error: z.ZodError): string {
  return error.issues.slice(0, 3)
    .map(({ path, message }) => path.length ? `${path.join(".")}: ${message}` : message)
    .join("; ").slice(0, 500);
}
