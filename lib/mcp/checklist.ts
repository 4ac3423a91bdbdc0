import * as points from "./checklist/points.ts";
import { Probe, type ProbeOptions } from "./checklist/probe.ts";
import { listTools, toolCalls, toolSchemas } from "./checklist/tool_points.ts";
import { version } from "./checklist/version_point.ts";
import { PROTOCOL_VERSION } from "../discovery/manifest.ts";

/** One point of the compliance checklist of spec 4.4. */
export interface PointResult {
  point: number;
  title: string;
  outcome: "pass" | "fail" | "noted";
  /** What failed or is noted, a line each. */
  details: string[];
}

const TITLES = [
  "Streamable HTTP, not the legacy event stream with a message endpoint",
  "JSON-RPC 2.0 shape",
  "initialize handshake sequence",
  "tools/list schemas are valid",
  "tools/call works for all tools",
  "serverInfo is present",
  "OAuth discovery",
  `protocol version is ${PROTOCOL_VERSION}, as the documents say`,
  "the host is reached, without gateway errors",
];

/**
 * Applies the compliance checklist of spec 4.4 to any MCP server. It calls every tool, with
 * arguments made from its schema, except those that declare themselves destructive.
 *
 * @param url the MCP endpoint
 * @returns the nine points in order; the server is compliant where none is `fail`
 *
 * @example
 * ```ts
 * const results = await runChecklist("https://mcp.foundation.example/mcp", {
 *   fetch: createLocalFetch(),
 *   sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
 *   timeoutMs: 15_000,
 * });
 * const compliant = results.every(({ outcome }) => outcome !== "fail");
 * ```
 */
export async function runChecklist(url: string, options: ProbeOptions): Promise<PointResult[]> {
  const probe = new Probe(new URL(url), options);
  const opened = await points.handshake(probe);
  // The handshake ends before anything else is asked.
  const sequence = await points.handshakeSequence(probe, opened);
  const transport = await points.transport(probe, opened);
  const jsonRpc = await points.jsonRpc(probe);
  const { tools, faults } = await listTools(probe);
  return [
    transport,
    jsonRpc,
    sequence,
    toolSchemas(tools, faults),
    await toolCalls(probe, tools),
    points.identity(opened),
    await points.oauth(probe),
    await version(probe, opened),
    points.reachability(probe),
  ].map(({ faults, notes }, index) => ({
    point: index + 1,
    title: TITLES[index],
    outcome: faults.length ? "fail" : notes.length ? "noted" : "pass",
    details: [...faults, ...notes],
  }));
}
