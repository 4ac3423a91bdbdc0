import type { z } from "zod";
import { answerFaults, faultsOf, type Findings, resultOf } from "./findings.ts";
import { misfit, schemaFaults } from "./json_schema.ts";
import type { Probe } from "./probe.ts";
import * as shapes from "./shapes.ts";
import { synthesise } from "./synthesise.ts";

/** All pages of tools/list. */
export async function listTools(
  probe: Probe,
): Promise<{ tools: shapes.ListedTool[]; faults: string[] }> {
  const tools: shapes.ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page++) {
    const { id, reply } = await probe.call("tools/list", cursor === undefined ? {} : { cursor });
    const faults = answerFaults("tools/list", reply?.json, id);
    if (!faults.length) faults.push(...faultsOf("tools/list", shapes.toolsResult, resultOf(reply)));
    if (faults.length) return { tools, faults };
    const result = resultOf(reply) as z.infer<typeof shapes.toolsResult>;
    tools.push(...result.tools);
    cursor = result.nextCursor;
    if (cursor === undefined) return { tools, faults: [] };
  }
  return { tools, faults: ["tools/list has no last page"] };
}

/** (4) Every listed tool has a name of its own, a description and a valid JSON Schema. */
export function toolSchemas(tools: readonly shapes.ListedTool[], listFaults: string[]): Findings {
  const faults = [...listFaults];
  if (!tools.length && !faults.length) faults.push("there are no tools");
  const names = new Set<string>();
  for (const { name, inputSchema } of tools) {
    if (names.has(name)) faults.push(`two tools are named ${name}`);
    names.add(name);
    faults.push(...schemaFaults(inputSchema).map((fault) => `${name}: inputSchema ${fault}`));
  }
  return { faults, notes: [] };
}

/** (5) Every tool answers a call with arguments made from its schema. */
export async function toolCalls(
  probe: Probe,
  tools: readonly shapes.ListedTool[],
): Promise<Findings> {
  const findings: Findings = {
    faults: tools.length ? [] : ["there is no tool to call"],
    notes: [],
  };
  for (const tool of tools) await callOne(probe, tool, findings);
  return findings;
}

async function callOne(probe: Probe, tool: shapes.ListedTool, { faults, notes }: Findings) {
  const { name, inputSchema, annotations } = tool;
  if (annotations?.destructiveHint && !annotations.readOnlyHint) {
    notes.push(`${name} was not called: it declares itself destructive`);
    return;
  }
  const args = synthesise(inputSchema);
  const misfits = schemaFaults(inputSchema).length
    ? "the schema is not valid"
    : misfit(inputSchema as Record<string, unknown>, args);
  if (misfits) {
    notes.push(`${name} was not called: no arguments could be made from its schema (${misfits})`);
    return;
  }
  const { id, reply } = await probe.call("tools/call", { name, arguments: args });
  const envelope = answerFaults(name, reply?.json, id);
  if (envelope.length) {
    faults.push(...envelope);
    return;
  }
  const { result, error } = reply!.json as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (error) {
    faults.push(`${name} was answered by the error ${error.code} ${error.message}`);
    return;
  }
  const shape = faultsOf(name, shapes.callResult, result);
  faults.push(...shape);
  if (!shape.length && (result as z.infer<typeof shapes.callResult>).isError) {
    // Made-up arguments may well name nothing; the server's own examples must work.
    (JSON.stringify(inputSchema).includes('"examples"') || JSON.stringify(args) === "{}"
      ? faults
      : notes)
      .push(`${name} answered isError for ${JSON.stringify(args).slice(0, 200)}`);
  }
}
