/** The checklist's points about the protocol: transport, JSON-RPC, handshake, identity, version and reachability. */
import type { z } from "zod";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../documents.ts";
import { PROTOCOL_VERSION } from "../manifest.ts";
import { RpcCode } from "../protocol.ts";
import type { Probe } from "./probe.ts";
import * as responses from "./responses.ts";
import {
  codeErrors,
  type Findings,
  type Handshake,
  responseErrors,
  resultOf,
  schemaIssues,
  statusOf,
} from "./responses.ts";

/** Sends the first message, which requests our revision. */
export async function handshake(probe: Probe): Promise<Handshake> {
  const { reply } = await probe.initialize(PROTOCOL_VERSION);
  return { reply, result: resultOf(reply) };
}

/** (1) POST works; GET returns a stream or 405, and not the legacy event stream. */
export async function transport(probe: Probe, { reply }: Handshake): Promise<Findings> {
  const errors: string[] = [];
  const type = reply?.headers.get("content-type") ?? "none";
  if (reply?.status !== 200) errors.push(`POST initialize returned ${statusOf(reply)}`);
  else if (!/^(application\/json|text\/event-stream)\b/.test(type)) {
    errors.push(`POST initialize returned the content type ${type}`);
  }
  const get = await probe.listen();
  if (/^event: *endpoint\b/m.test(get?.text ?? "")) {
    errors.push("GET opens the legacy event stream that names another endpoint");
  } else if (
    get?.status !== 405 &&
    !(get?.status === 200 && get.headers.get("content-type")?.startsWith("text/event-stream"))
  ) {
    errors.push(`GET returned ${statusOf(get)}, neither 405 nor a stream`);
  }
  return { errors, notes: await lenientTransport(probe) };
}

/** Returns what clients need that do not follow the transport's rules exactly. */
async function lenientTransport(probe: Probe): Promise<string[]> {
  const notes: string[] = [];
  const page = await probe.listen("text/html");
  if (page?.headers.get("content-type")?.startsWith("text/event-stream")) {
    notes.push("GET with Accept: text/html opens a stream, for which hosted clients wait");
  }
  for (const accept of ["application/json", "*/*"]) {
    const { id, reply } = await probe.call("ping", undefined, { accept });
    const what = `ping with Accept: ${accept}`;
    if (responseErrors(what, reply?.json, id).length || resultOf(reply) === undefined) {
      notes.push(`${what} returned ${statusOf(reply)}: some clients accept nothing else`);
    }
  }
  return notes;
}

/** (2) Responses, errors and batches follow JSON-RPC 2.0. */
export async function jsonRpc(probe: Probe): Promise<Findings> {
  const ping = await probe.call("ping");
  const unknown = await probe.call("gatehouse/no_such_method");
  const errors = [
    ...responseErrors("ping", ping.reply?.json, ping.id),
    ...responseErrors("an unknown method", unknown.reply?.json, unknown.id),
    ...codeErrors("an unknown method", unknown.reply, RpcCode.unknownMethod),
    ...codeErrors("a body that is not JSON", await probe.post("{"), RpcCode.parse),
  ];
  const batch = await probe.post(
    [1001, 1002].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })),
  );
  if (!Array.isArray(batch?.json)) errors.push("a batch did not return an array");
  else {
    const ids = batch.json.map((response) => response?.id).sort().join();
    if (ids !== "1001,1002") {
      errors.push(`a batch of 1001 and 1002 returned responses to ${ids || "none"}`);
    }
  }
  return { errors, notes: [] };
}

/** (3) `initialize` and `notifications/initialized` work in sequence. */
export async function handshakeSequence(
  probe: Probe,
  { reply, result }: Handshake,
): Promise<Findings> {
  const errors = schemaIssues("initialize", responses.initializeResult, result);
  if (errors.length && reply) errors.push(`the response: ${reply.text.slice(0, 200)}`);
  const notified = await probe.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  if (notified?.status !== 202) {
    errors.push(`notifications/initialized returned ${statusOf(notified)}, not 202`);
  } else if (notified.text) errors.push("notifications/initialized returned a body");
  return { errors, notes: [] };
}

/** (6) The server sends its name and version. */
export function identity({ result }: Handshake): Findings {
  const { serverInfo } = (result ?? {}) as { serverInfo?: unknown };
  return { errors: schemaIssues("serverInfo", responses.serverInfo, serverInfo), notes: [] };
}

/**
 * (8) The protocol version is always the implemented one, even if the client requests another, and
 * also in the documents.
 */
export async function version(probe: Probe, { result }: Handshake): Promise<Findings> {
  const newer = await probe.initialize("2099-12-31");
  const errors = [
    ...versionErrors(PROTOCOL_VERSION, result),
    ...versionErrors("2099-12-31", resultOf(newer.reply)),
  ];
  const documents = await compareDocuments(probe, result);
  return {
    errors: [...errors, ...documents.errors],
    notes: [...documents.notes, ...await headerNotes(probe)],
  };
}

/** The versions that large clients send with later requests, whatever was negotiated. */
const SENT_VERSIONS = ["2025-11-25", "2026-07-28", "2025-11-25, 2025-11-25"];

/** 2025-03-26 has no version header, so its value should not matter. */
async function headerNotes(probe: Probe): Promise<string[]> {
  const notes: string[] = [];
  for (const version of SENT_VERSIONS) {
    const { reply } = await probe.call("tools/list", {}, { "mcp-protocol-version": version });
    if (resultOf(reply) !== undefined) continue;
    notes.push(
      `tools/list with MCP-Protocol-Version: ${version} returned ${statusOf(reply)}: ` +
        "clients that send this after initialize show no tools",
    );
  }
  return notes;
}

function versionErrors(requested: string, result: unknown): string[] {
  const version = (result as { protocolVersion?: unknown } | undefined)?.protocolVersion;
  if (version === PROTOCOL_VERSION) return [];
  return [`a request for ${requested} returned ${version}, not ${PROTOCOL_VERSION}`];
}

/** Compares the discovery documents with the running server. */
async function compareDocuments(probe: Probe, result: unknown): Promise<Findings> {
  const errors: string[] = [];
  const notes: string[] = [];
  const endpoints: string[] = [];
  const live = (result ?? {}) as {
    serverInfo?: { name?: string; version?: string };
    capabilities?: { tools?: unknown };
  };
  const compare = (what: string, stated: unknown, found: unknown) => {
    if (stated === found) return;
    errors.push(
      `the ${what} is ${JSON.stringify(stated)}, but the server says ${JSON.stringify(found)}`,
    );
  };
  async function read<Schema extends z.ZodType>(name: string, path: string, schema: Schema) {
    const reply = await probe.get(path);
    if (reply?.status === 404) return void notes.push(`this host has no ${name}`);
    if (reply?.status !== 200) return void errors.push(`the ${name} returned ${statusOf(reply)}`);
    const issues = schemaIssues(name, schema, reply.json);
    errors.push(...issues);
    return issues.length ? undefined : reply.json as z.output<Schema>;
  }
  const compareServer = (
    name: string,
    stated: { name: string; version: string; tools: boolean; endpoint: string },
  ) => {
    compare(`${name}'s name`, stated.name, live.serverInfo?.name);
    compare(`${name}'s version`, stated.version, live.serverInfo?.version);
    compare(`${name}'s tools capability`, stated.tools, Boolean(live.capabilities?.tools));
    endpoints.push(stated.endpoint);
  };

  const card = await read("server card", SERVER_CARD_PATH, responses.card);
  if (card) {
    const { serverInfo, capabilities, transport, protocolVersion } = card;
    compare("card's protocolVersion", protocolVersion, PROTOCOL_VERSION);
    compareServer("card", { ...serverInfo, tools: capabilities.tools, endpoint: transport.url });
  }
  const descriptor = await read("descriptor", SERVER_DESCRIPTOR_PATH, responses.descriptor);
  if (descriptor) {
    compareServer("descriptor", {
      name: descriptor.server_name,
      version: descriptor.server_version,
      tools: descriptor.capabilities.tools,
      endpoint: descriptor.endpoints.streamable_http,
    });
  }
  if (new Set(endpoints).size > 1) {
    errors.push(`card and descriptor name different endpoints: ${endpoints.join(", ")}`);
  } else if (endpoints.length && endpoints[0] !== probe.url.href) {
    notes.push(`the documents name another address for the endpoint: ${endpoints[0]}`);
  }
  return { errors, notes };
}

/** (9) Every request got a response, and none of them had a 5xx status such as 522. */
export function reachability(probe: Probe): Findings {
  return { errors: [...new Set(probe.failures)], notes: [] };
}
