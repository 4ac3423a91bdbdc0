import type { Manifest } from "../discovery/manifest.ts";
import type { ToolDeps } from "./deps.ts";
import {
  callParams,
  failure,
  initializeParams,
  issuesLine,
  listParams,
  readMessage,
  type RpcAnswer,
  RpcCode,
  RpcError,
  type RpcFailure,
  type RpcRequest,
  success,
} from "./protocol.ts";
import { cleanText } from "../sanitise.ts";
import { callTool, listing, type Tool } from "./tool.ts";

/** Writes one log entry: a stable event name, and the error. */
export type Log = (event: string, error: unknown) => void;

/** What is sent back: nothing (202), one answer or a batch (200), or a refusal of all (400). */
export type Answer =
  | { status: 202 }
  | { status: 200; body: RpcAnswer | RpcAnswer[] }
  | { status: 400; body: RpcFailure };

/** The most work of a batch of several messages, see {@linkcode Tool.work}. */
const WORK_LIMIT = 50;

export interface DispatcherOptions {
  manifest: Manifest;
  tools: readonly Tool[];
  deps: ToolDeps;
  log: Log;
  /** The most messages of a batch. */
  maxBatch: number;
}

/**
 * The JSON-RPC half of the server: a parsed body in, an {@link Answer} out. It knows nothing of
 * HTTP but the three statuses that depend on the body, and never throws. It is a promise only
 * where a tool is.
 */
export function createDispatcher(
  options: DispatcherOptions,
): (body: unknown) => Answer | Promise<Answer> {
  const { log, maxBatch, tools } = options;
  const methods = createMethods(options);
  const work = new Map(tools.map((tool) => [tool.name, tool.work ?? 1]));

  /** Cheap and tolerant: what is no call of a tool is found out later. */
  function workOf(value: unknown): number {
    const { method, params } = (value ?? {}) as { method?: unknown; params?: { name?: unknown } };
    const name = method === "tools/call" ? params?.name : undefined;
    return typeof name === "string" ? work.get(name) ?? 1 : 1;
  }

  function answer(
    { id, method, params = {} }: RpcRequest,
  ): RpcAnswer | Promise<RpcAnswer> {
    const run = methods.get(method);
    if (!run) return failure(id, RpcCode.unknownMethod, "Method not found");
    const succeed = (result: unknown) => success(id, result);
    const fail = (error: unknown) => {
      if (error instanceof RpcError) {
        return failure(id, error.code, error.message);
      }
      log("mcp_internal_error", error);
      return failure(id, RpcCode.internal, "Internal error");
    };
    try {
      const result = run(params);
      return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
    } catch (error) {
      return fail(error);
    }
  }

  function single(value: unknown): Answer | Promise<Answer> {
    const message = readMessage(value);
    if (message.kind === "silent") return { status: 202 };
    if (message.kind === "invalid") {
      return { status: 400, body: message.answer };
    }
    const body = answer(message.request);
    return body instanceof Promise
      ? body.then((body) => ({ status: 200, body }))
      : { status: 200, body };
  }

  async function batch(values: unknown[]): Promise<Answer> {
    if (values.length === 0) return refusal("Invalid Request: an empty batch");
    if (values.length > maxBatch) {
      return refusal(
        `Invalid Request: a batch holds at most ${maxBatch} messages`,
      );
    }
    if (values.some(isInitialize)) {
      return refusal("Invalid Request: initialize must not be part of a batch");
    }
    const work = values.reduce((sum: number, value) => sum + workOf(value), 0);
    if (values.length > 1 && work > WORK_LIMIT) {
      return refusal("Invalid Request: the batch asks for too much work; send its calls alone");
    }
    const answers = await Promise.all(values.map((value) => {
      const message = readMessage(value);
      if (message.kind === "silent") return [];
      return message.kind === "invalid" ? message.answer : answer(message.request);
    }));
    const body = answers.flat();
    return body.length ? { status: 200, body } : { status: 202 };
  }

  return (body) => Array.isArray(body) ? batch(body) : single(body);
}

function refusal(message: string): Answer {
  return { status: 400, body: failure(null, RpcCode.invalidRequest, message) };
}

function isInitialize(value: unknown): boolean {
  return typeof value === "object" && value !== null && "method" in value &&
    value.method === "initialize";
}

type Method = (params: unknown) => unknown;

function createMethods(
  { manifest, tools, deps }: DispatcherOptions,
): Map<string, Method> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const toolList = { tools: tools.map(listing) };
  const welcome = {
    protocolVersion: manifest.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: manifest.serverName, version: manifest.version },
    instructions: cleanText(manifest.description),
  };
  return new Map<string, Method>([
    ["initialize", (params) => (checked(initializeParams, params), welcome)],
    ["ping", () => ({})],
    ["tools/list", (params) => (checked(listParams, params), toolList)],
    ["tools/call", (params) => {
      const call = checked(callParams, params);
      const tool = byName.get(call.name);
      if (!tool) {
        const name = cleanText(call.name.slice(0, 80));
        throw new RpcError(RpcCode.invalidParams, `Unknown tool: ${name}`);
      }
      return callTool(tool, call.arguments, deps);
    }],
  ]);
}

function checked<
  Schema extends
    | typeof initializeParams
    | typeof listParams
    | typeof callParams,
>(
  schema: Schema,
  params: unknown,
): ReturnType<Schema["parse"]> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data as ReturnType<Schema["parse"]>;
  throw new RpcError(
    RpcCode.invalidParams,
    cleanText(`Invalid params: ${issuesLine(parsed.error)}`),
  );
}
