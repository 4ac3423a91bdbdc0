import { z } from "zod";
import type { ToolDeps } from "./deps.ts";
import { issuesLine, RpcCode, RpcError } from "./protocol.ts";
import { cleanJson, cleanText } from "../sanitise.ts";

/** A tool of an MCP server. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  /** Letters, digits and `_`; unique in a server. */
  name: string;
  /** For people; travels as an annotation, as revision 2025-03-26 has it. */
  title: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** The arguments. `.meta({examples})` shows how, and is what the checklist calls with. */
  input: Input;
  /** How many messages of a batch one call counts as; 1 where it is absent. */
  work?: number;
  /**
   * Answers a call whose arguments are valid.
   *
   * @returns a string where plain text is natural, else data that becomes JSON text
   * @throws {ToolFailure} for a failure that the model should read
   */
  run(input: z.output<Input>, deps: ToolDeps): unknown;
}

/** The result of `tools/call`. */
export interface CallResult {
  content: { type: "text"; text: string }[];
  isError?: true;
}

/** An entry of `tools/list`. */
export interface ToolListing {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { title: string; readOnlyHint: true; openWorldHint: false };
}

/** A tool's own failure: an answer with `isError: true`, unlike a bad call (JSON-RPC error). */
export class ToolFailure extends Error {
  override name = "ToolFailure";
  /**
   * @param code stable, such as `not_found`
   * @param message what the caller can do about it
   */
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/**
 * Declares a tool; the types of `run` follow from `input`.
 *
 * @example
 * ```ts
 * const echo = defineTool({
 *   name: "echo",
 *   title: "Echo",
 *   description: "Says it again.",
 *   input: z.strictObject({ text: z.string().meta({ examples: ["hello"] }) }),
 *   run: ({ text }) => text,
 * });
 * ```
 */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** The tool as `tools/list` shows it. Costly enough to be made once for each server. */
export function listing(
  { name, title, description, input }: Tool,
): ToolListing {
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input", target: "draft-7" }),
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

/**
 * Validates the arguments and runs the tool; a promise only where the tool gives one.
 *
 * @throws {RpcError} -32602 for arguments that do not fit the schema; whatever else is thrown is
 * a fault of ours
 */
export function callTool(
  tool: Tool,
  args: unknown,
  deps: ToolDeps,
): CallResult | Promise<CallResult> {
  const input = tool.input.safeParse(args);
  if (!input.success) {
    const issues = cleanText(issuesLine(input.error));
    throw new RpcError(
      RpcCode.invalidParams,
      `Invalid arguments for ${tool.name}: ${issues}`,
    );
  }
  try {
    const result = tool.run(input.data, deps);
    return result instanceof Promise ? result.then(content, failed) : content(result);
  } catch (error) {
    return failed(error);
  }
}

function content(result: unknown): CallResult {
  const text = typeof result === "string" ? cleanText(result) : cleanJson(result);
  return { content: [{ type: "text", text }] };
}

function failed(error: unknown): CallResult {
  if (!(error instanceof ToolFailure)) throw error;
  return {
    ...content({ error: error.code, message: error.message }),
    isError: true,
  };
}
