/** Handles JSON-RPC messages to the MCP server: validates them, calls methods and tools, and returns replies. */
import { explainIssue } from "../../base/explain_issue.ts";
import { cleanText } from "../../base/sanitise.ts";
import { problemOf } from "../../platform/http/errors.ts";
import type { Caller } from "./caller.ts";
import type { Manifest } from "./manifest.ts";
import {
  callParams,
  constant,
  failure,
  initializeParams,
  isPlainCall,
  isStateless,
  issuesLine,
  LATER_METHODS,
  listParams,
  readMessage,
  RpcCode,
  RpcError,
  type RpcFailure,
  type RpcRequest,
  type RpcResponse,
  success,
  VERSIONS,
  withoutNulls,
} from "./protocol.ts";
import {
  callTool,
  instructionsOf,
  type Listing,
  listing,
  type Tool,
  type ToolDeps,
} from "./tool.ts";

/** Logs an error under a stable event name. */
export type Log = (event: string, error: unknown) => void;

/**
 * The HTTP status and body of a response. 202 has no body, 400 rejects the whole message, and 404
 * is for methods that only later revisions have.
 */
export type Reply =
  | { status: 202 }
  | { status: 200; body: RpcResponse | RpcResponse[] }
  | { status: 400 | 404; body: RpcFailure };

/** The maximum work that a batch of several messages may request; see {@linkcode Tool.work}. */
const WORK_LIMIT = 50;

export interface DispatcherOptions {
  manifest: Manifest;
  tools: readonly Tool[];
  deps: ToolDeps;
  log: Log;
  /** Called for each call of a tool that exists. */
  onCall?: (tool: string) => void;
  /** The maximum number of messages in a batch. */
  maxBatch: number;
}

interface Dispatcher {
  /** The result of `tools/list`. */
  readonly tools: readonly Listing[];
  /**
   * Returns the response that rejects a whole body before any of it runs; undefined if it is
   * accepted.
   *
   * @param version the `MCP-Protocol-Version` header. Its value does not matter as long as it is a
   * date or several: revision 2025-03-26 has no such header, and large clients send their newest
   * version there, also doubled, whatever was negotiated.
   */
  rejection(body: unknown, version: string | null): Reply | undefined;
  /** Returns the scope that a call in a body needs and the caller lacks; null if there is none. */
  lackedScope(body: unknown, caller: Caller | null): string | null;
  /**
   * Handles a body that was not rejected. Never throws. Returns a promise only if a tool does.
   *
   * @param caller null for anonymous calls
   */
  dispatch(body: unknown, caller?: Caller | null): Reply | Promise<Reply>;
}

/** Creates the JSON-RPC part of the server, which turns parsed bodies into replies. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { log, manifest, maxBatch, tools } = options;
  const listed = tools.map(listing);
  const methods = createMethods(options, listed);
  const work = new Map(tools.map((tool) => [tool.name, tool.work ?? 1]));
  const scopes = new Map(tools.map((tool) => [tool.name, tool.scope]));

  function respond(
    { id, method, params }: RpcRequest,
    caller: Caller | null,
  ): RpcResponse | Promise<RpcResponse> {
    const run = methods.get(method);
    if (!run) return unknownMethod(id);
    const succeed = (result: unknown) => success(id, result);
    const fail = (error: unknown) => {
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      const { status, message } = problemOf(error);
      if (status === 503) return failure(id, RpcCode.internal, message); // the store, which logs it
      log("mcp_internal_error", error);
      return failure(id, RpcCode.internal, "Internal error");
    };
    try {
      const result = run(withoutNulls(params ?? {}), caller);
      return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
    } catch (error) {
      return fail(error);
    }
  }

  function single(value: unknown, caller: Caller | null): Reply | Promise<Reply> {
    const message = readMessage(value);
    if (message.kind === "silent") return { status: 202 };
    if (message.kind === "invalid") return { status: 400, body: message.response };
    const body = respond(message.request, caller);
    return body instanceof Promise
      ? body.then((body) => ({ status: 200, body }))
      : { status: 200, body };
  }

  /** Returns the work of a message without validating it. */
  function workOf(value: unknown): number {
    const { name } = callOf(value);
    return name === undefined ? 1 : work.get(name) ?? 1;
  }

  function lackedScopeOf(value: unknown, caller: Caller | null): string | null {
    const { name, arguments: args } = callOf(value);
    const scope = name === undefined ? null : scopes.get(name)?.(args ?? {}) ?? null;
    if (scope === null || caller?.record && caller.scopes.includes(scope)) return null;
    return readMessage(value).kind === "request" ? scope : null;
  }

  async function batch(values: unknown[], caller: Caller | null): Promise<Reply> {
    const responses = await Promise.all(values.map((value) => {
      const message = readMessage(value);
      if (message.kind === "silent") return [];
      return message.kind === "invalid" ? message.response : respond(message.request, caller);
    }));
    const body = responses.flat();
    return body.length ? { status: 200, body } : { status: 202 };
  }

  return {
    tools: listed,
    rejection(body, version) {
      const rejected = rejectLater(manifest, body, version);
      if (rejected !== undefined || !Array.isArray(body)) return rejected;
      if (body.length === 0) return rejectBatch("it is empty");
      if (body.length > maxBatch) return rejectBatch(`it contains more than ${maxBatch} messages`);
      if (body.some((value) => methodOf(value) === "initialize")) {
        return rejectBatch("initialize must not be part of it");
      }
      const total = body.reduce((sum: number, value) => sum + workOf(value), 0);
      if (body.length > 1 && total > WORK_LIMIT) {
        return rejectBatch("it asks for too much work; send its calls one by one");
      }
    },
    lackedScope(body, caller) {
      if (!Array.isArray(body)) return lackedScopeOf(body, caller);
      for (const value of body) {
        const scope = lackedScopeOf(value, caller);
        if (scope !== null) return scope;
      }
      return null;
    },
    dispatch: (body, caller = null) =>
      Array.isArray(body) ? batch(body, caller) : single(body, caller),
  };
}

const unknownMethod = (id: RpcRequest["id"]) =>
  failure(id, RpcCode.unknownMethod, "Method not found");

/**
 * Rejects a message of a later revision, and a version header that is not a version. `initialize` is
 * always accepted, because its version is in its params.
 */
function rejectLater(
  manifest: Manifest,
  body: unknown,
  version: string | null,
): Reply | undefined {
  const method = methodOf(body);
  if (method === "initialize") return undefined;
  const stateless = isStateless(body);
  if (stateless ? method === "server/discover" : LATER_METHODS.has(method)) {
    const message = readMessage(body);
    if (message.kind === "request") {
      return { status: 404, body: unknownMethod(message.request.id) };
    }
  }
  if (stateless) return rejectVersion(manifest, "this revision of MCP is not supported", body);
  return version === null || version === manifest.protocolVersion || VERSIONS.test(version)
    ? undefined
    : rejectVersion(manifest, "MCP-Protocol-Version must be a date", body);
}

function rejectVersion(manifest: Manifest, reason: string, body: unknown): Reply {
  const message = readMessage(body);
  const id = message.kind === "request" ? message.request.id : null;
  const text = `Bad Request: ${reason} (supported: ${manifest.protocolVersion})`;
  return { status: 400, body: failure(id, RpcCode.refused, text) };
}

function rejectBatch(reason: string): Reply {
  const message = `Invalid Request: the batch is rejected because ${reason}`;
  return { status: 400, body: failure(null, RpcCode.invalidRequest, message) };
}

/** Returns the method of a message without validating it; "" if it has none. */
function methodOf(value: unknown): string {
  const { method } = (value ?? {}) as { method?: unknown };
  return typeof method === "string" ? method : "";
}

/** Returns the name and arguments of a call of a tool without validating them. */
function callOf(value: unknown): { name?: string; arguments?: Record<string, unknown> } {
  const { method, params } = (value ?? {}) as { method?: unknown; params?: unknown };
  if (method !== "tools/call") return {};
  const { name, arguments: args } = (params ?? {}) as Record<string, unknown>;
  if (typeof name !== "string") return {};
  return { name, arguments: (args ?? {}) as Record<string, unknown> };
}

type Method = (params: unknown, caller: Caller | null) => unknown;

function createMethods(
  { manifest, tools, deps, onCall }: DispatcherOptions,
  listed: readonly Listing[],
): Map<string, Method> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolList = constant({ tools: listed });
  const initialized = constant({
    protocolVersion: manifest.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: manifest.serverName, version: manifest.version },
    instructions: cleanText(instructionsOf(manifest.description, tools)),
  });
  return new Map<string, Method>([
    ["initialize", (params) => (checked(initializeParams, params), initialized)],
    ["ping", () => ({})],
    ["tools/list", (params) => (checked(listParams, params), toolList)],
    ["tools/call", (params, caller) => {
      const call = isPlainCall(params) ? params : checked(callParams, params);
      const tool = byName.get(call.name);
      if (tool) {
        onCall?.(call.name);
        return callTool(tool, call.arguments, deps, caller);
      }
      const name = cleanText(call.name.slice(0, 80));
      throw new RpcError(RpcCode.invalidParams, `Unknown tool: ${name}`);
    }],
  ]);
}

type ParamsSchema = typeof initializeParams | typeof listParams | typeof callParams;

function checked<Schema extends ParamsSchema>(
  schema: Schema,
  params: unknown,
): ReturnType<Schema["parse"]> {
  const parsed = schema.safeParse(params, { error: explainIssue });
  if (parsed.success) return parsed.data as ReturnType<Schema["parse"]>;
  const issues = cleanText(issuesLine(parsed.error));
  throw new RpcError(RpcCode.invalidParams, `Invalid params: ${issues}`);
}
