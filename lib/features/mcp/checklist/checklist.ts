/** Runs the MCP compliance checklist against a server, point by point. */
import { PROTOCOL_VERSION } from "../manifest.ts";
import { oauth } from "./oauth.ts";
import * as points from "./points.ts";
import { Probe, type ProbeOptions } from "./probe.ts";
import { listTools, toolCalls, toolSchemas } from "./tool_points.ts";

/** One point of the compliance checklist of spec 4.4. */
interface PointResult {
  point: number;
  title: string;
  outcome: "pass" | "fail" | "noted";
  /** The errors and notes, one line each. */
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
  `protocol version is ${PROTOCOL_VERSION}, also in the documents`,
  "the host responds, without gateway errors",
];

/**
 * Applies the compliance checklist of spec 4.4 to any MCP server. It calls every tool with
 * arguments generated from its schema, except tools that declare themselves destructive.
 *
 * @param url the MCP endpoint
 * @returns the points in order; the server is compliant if none is `fail`
 */
export async function runChecklist(url: string, options: ProbeOptions): Promise<PointResult[]> {
  const probe = new Probe(new URL(url), options);
  // A client must not send anything else before the handshake is complete.
  const handshake = await points.handshake(probe);
  const sequence = await points.handshakeSequence(probe, handshake);
  const transport = await points.transport(probe, handshake);
  const jsonRpc = await points.jsonRpc(probe);
  const { tools, errors } = await listTools(probe);
  return [
    transport,
    jsonRpc,
    sequence,
    toolSchemas(tools, errors),
    await toolCalls(probe, tools),
    points.identity(handshake),
    await oauth(probe),
    await points.version(probe, handshake),
    points.reachability(probe),
  ].map(({ errors, notes }, index) => ({
    point: index + 1,
    title: TITLES[index],
    outcome: errors.length ? "fail" : notes.length ? "noted" : "pass",
    details: [...errors, ...notes],
  }));
}
