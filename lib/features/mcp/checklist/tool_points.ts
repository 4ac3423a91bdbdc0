/** The checklist's points about tools: their schemas are valid, and they accept calls. */
import type { z } from "zod";
import { makeArguments, mismatch, schemaErrors } from "./arguments.ts";
import type { Probe } from "./probe.ts";
import * as responses from "./responses.ts";
import { type Findings, responseErrors, resultOf, schemaIssues } from "./responses.ts";

type ListedTool = responses.ListedTool;

export async function listTools(
  probe: Probe,
): Promise<{ tools: ListedTool[]; errors: string[] }> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page++) {
    const { id, reply } = await probe.call("tools/list", cursor === undefined ? {} : { cursor });
    const errors = responseErrors("tools/list", reply?.json, id);
    if (!errors.length) {
      errors.push(...schemaIssues("tools/list", responses.toolsResult, resultOf(reply)));
    }
    if (errors.length) return { tools, errors };
    const result = resultOf(reply) as z.infer<typeof responses.toolsResult>;
    tools.push(...result.tools);
    cursor = result.nextCursor;
    if (cursor === undefined) return { tools, errors: [] };
  }
  return { tools, errors: ["tools/list has no last page"] };
}

/** (4) Every listed tool has a unique name, a description and a valid JSON Schema. */
export function toolSchemas(tools: readonly ListedTool[], listErrors: string[]): Findings {
  const errors = [...listErrors];
  if (!tools.length && !errors.length) errors.push("there are no tools");
  const names = new Set<string>();
  for (const { name, inputSchema } of tools) {
    if (names.has(name)) errors.push(`two tools are named ${name}`);
    names.add(name);
    errors.push(...schemaErrors(inputSchema).map((error) => `${name}: inputSchema ${error}`));
  }
  return { errors, notes: [] };
}

/** (5) Every tool accepts a call with arguments generated from its schema. */
export async function toolCalls(probe: Probe, tools: readonly ListedTool[]): Promise<Findings> {
  const findings: Findings = {
    errors: tools.length ? [] : ["there are no tools to call"],
    notes: [],
  };
  for (const tool of tools) await callOne(probe, tool, findings);
  return findings;
}

async function callOne(probe: Probe, tool: ListedTool, { errors, notes }: Findings) {
  const { name, inputSchema, annotations } = tool;
  if (annotations?.destructiveHint && !annotations.readOnlyHint) {
    notes.push(`${name} was not called: it declares itself destructive`);
    return;
  }
  const args = makeArguments(inputSchema);
  const unusable = schemaErrors(inputSchema).length
    ? "the schema is invalid"
    : mismatch(inputSchema as Record<string, unknown>, args);
  if (unusable) {
    notes.push(`${name} was not called: no arguments could be made from its schema (${unusable})`);
    return;
  }
  const { id, reply } = await probe.call("tools/call", { name, arguments: args });
  const envelope = responseErrors(name, reply?.json, id);
  if (envelope.length) {
    errors.push(...envelope);
    return;
  }
  const { result, error } = reply!.json as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (error) {
    errors.push(`${name} returned the error ${error.code} ${error.message}`);
    return;
  }
  const issues = schemaIssues(name, responses.callResult, result);
  errors.push(...issues);
  if (!issues.length && (result as z.infer<typeof responses.callResult>).isError) {
    // Generated arguments may not refer to anything that exists, but the server's own examples must
    // work.
    const own = JSON.stringify(inputSchema).includes('"examples"') || JSON.stringify(args) === "{}";
    (own ? errors : notes)
      .push(`${name} returned isError for ${JSON.stringify(args).slice(0, 200)}`);
  }
}
