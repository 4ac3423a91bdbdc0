import { PROTOCOL_VERSION } from "../../discovery/manifest.ts";
import { RpcCode } from "../protocol.ts";
import {
  answerFaults,
  expectCode,
  faultsOf,
  type Findings,
  type Handshake,
  resultOf,
  statusOf,
} from "./findings.ts";
import type { Probe } from "./probe.ts";
import * as shapes from "./shapes.ts";

/** Opens the conversation, asking for our revision. */
export async function handshake(probe: Probe): Promise<Handshake> {
  const { reply } = await probe.initialize(PROTOCOL_VERSION);
  return { reply, result: resultOf(reply) };
}

/** (1) One endpoint answers POST; GET is a stream or 405, and no legacy event stream. */
export async function transport(probe: Probe, { reply }: Handshake): Promise<Findings> {
  const faults: string[] = [];
  const type = reply?.headers.get("content-type") ?? "none";
  if (reply?.status !== 200) faults.push(`POST initialize was answered ${statusOf(reply)}`);
  else if (!/^(application\/json|text\/event-stream)\b/.test(type)) {
    faults.push(`POST initialize was answered as ${type}`);
  }
  const get = await probe.listen();
  if (/^event: *endpoint\b/m.test(get?.text ?? "")) {
    faults.push("GET opens the legacy event stream that names another endpoint");
  } else if (
    get?.status !== 405 &&
    !(get?.status === 200 && get.headers.get("content-type")?.startsWith("text/event-stream"))
  ) {
    faults.push(`GET was answered ${statusOf(get)}, neither 405 nor a stream`);
  }
  return { faults, notes: [] };
}

/** (2) Answers, errors and batches have the shapes of JSON-RPC 2.0. */
export async function jsonRpc(probe: Probe): Promise<Findings> {
  const faults: string[] = [];
  const ping = await probe.call("ping");
  faults.push(...answerFaults("ping", ping.reply?.json, ping.id));

  const unknown = await probe.call("gatehouse/no_such_method");
  faults.push(...answerFaults("an unknown method", unknown.reply?.json, unknown.id));
  expectCode(faults, "an unknown method", unknown.reply, RpcCode.unknownMethod);
  expectCode(faults, "a body that is no JSON", await probe.post("{"), RpcCode.parse);

  const batch = await probe.post(
    [1001, 1002].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })),
  );
  if (!Array.isArray(batch?.json)) faults.push("a batch was not answered by an array");
  else {
    const ids = batch.json.map((answer) => answer?.id).sort().join();
    if (ids !== "1001,1002") {
      faults.push(`a batch of 1001 and 1002 was answered for ${ids || "none"}`);
    }
  }
  return { faults, notes: [] };
}

/** (3) initialize, then notifications/initialized, then the session works. */
export async function handshakeSequence(
  probe: Probe,
  { reply, result }: Handshake,
): Promise<Findings> {
  const faults = faultsOf("initialize", shapes.initializeResult, result);
  if (faults.length && reply) faults.push(`its answer: ${reply.text.slice(0, 200)}`);
  const note = await probe.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  if (note?.status !== 202) {
    faults.push(`notifications/initialized was answered ${statusOf(note)}, not 202`);
  } else if (note.text) faults.push("notifications/initialized was answered with a body");
  return { faults, notes: [] };
}

/** (6) The server says who it is. */
export function identity({ result }: Handshake): Findings {
  const { serverInfo } = (result ?? {}) as { serverInfo?: unknown };
  return { faults: faultsOf("serverInfo", shapes.serverInfo, serverInfo), notes: [] };
}

/** (7) OAuth metadata is valid where present; its absence is noted. */
export async function oauth(probe: Probe): Promise<Findings> {
  const reply = await probe.get("/.well-known/oauth-authorization-server");
  if (reply?.status === 404) {
    return {
      faults: [],
      notes: ["no authorization server metadata (404): noted for future upgrade"],
    };
  }
  if (reply?.status !== 200) {
    return { faults: [`metadata was answered ${statusOf(reply)}`], notes: [] };
  }
  return { faults: faultsOf("metadata", shapes.oauthMetadata, reply.json), notes: [] };
}

/** (9) The host is reached, and nothing was answered 5xx, 522 least of all. */
export function reachability(probe: Probe): Findings {
  return { faults: [...new Set(probe.failures)], notes: [] };
}
