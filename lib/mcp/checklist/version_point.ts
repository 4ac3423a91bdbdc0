import type { z } from "zod";
import { SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "../../discovery/documents.ts";
import { PROTOCOL_VERSION } from "../../discovery/manifest.ts";
import { faultsOf, type Findings, type Handshake, resultOf, statusOf } from "./findings.ts";
import type { Probe } from "./probe.ts";
import * as shapes from "./shapes.ts";

/** (8) The version is the one implemented, whoever asks, and the documents say the same. */
export async function version(probe: Probe, { result }: Handshake): Promise<Findings> {
  const faults: string[] = [];
  const newer = await probe.initialize("2099-12-31");
  for (
    const [asked, answered] of [[PROTOCOL_VERSION, result], ["2099-12-31", resultOf(newer.reply)]]
  ) {
    const version = (answered as { protocolVersion?: unknown } | undefined)?.protocolVersion;
    if (version !== PROTOCOL_VERSION) {
      faults.push(`asked for ${asked}, it answers ${version}, not ${PROTOCOL_VERSION}`);
    }
  }
  const documents = await discovery(probe, result);
  return { faults: [...faults, ...documents.faults], notes: documents.notes };
}

async function discovery(probe: Probe, result: unknown): Promise<Findings> {
  const faults: string[] = [];
  const notes: string[] = [];
  const live = (result ?? {}) as {
    serverInfo?: { name?: string; version?: string };
    capabilities?: { tools?: unknown };
  };
  const endpoints: string[] = [];

  const compare = (what: string, stated: unknown, found: unknown) => {
    if (stated !== found) {
      faults.push(`the ${what} is ${JSON.stringify(stated)}, live it is ${JSON.stringify(found)}`);
    }
  };
  async function document<Shape extends z.ZodType>(name: string, path: string, shape: Shape) {
    const reply = await probe.get(path);
    if (reply?.status === 404) return void notes.push(`no ${name} on this host`);
    if (reply?.status !== 200) {
      return void faults.push(`the ${name} was answered ${statusOf(reply)}`);
    }
    const wrong = faultsOf(name, shape, reply.json);
    faults.push(...wrong);
    return wrong.length ? undefined : reply.json as z.output<Shape>;
  }

  const card = await document("server card", SERVER_CARD_PATH, shapes.card);
  if (card) {
    compare("card's protocolVersion", card.protocolVersion, PROTOCOL_VERSION);
    compare("card's name", card.serverInfo.name, live.serverInfo?.name);
    compare("card's version", card.serverInfo.version, live.serverInfo?.version);
    compare("card's tools capability", card.capabilities.tools, Boolean(live.capabilities?.tools));
    endpoints.push(card.transport.url);
  }
  const descriptor = await document("descriptor", SERVER_DESCRIPTOR_PATH, shapes.descriptor);
  if (descriptor) {
    compare("descriptor's name", descriptor.server_name, live.serverInfo?.name);
    compare("descriptor's version", descriptor.server_version, live.serverInfo?.version);
    compare(
      "descriptor's tools capability",
      descriptor.capabilities.tools,
      Boolean(live.capabilities?.tools),
    );
    endpoints.push(descriptor.endpoints.streamable_http);
  }
  if (new Set(endpoints).size > 1) {
    faults.push(`card and descriptor name two endpoints: ${endpoints.join(", ")}`);
  } else if (endpoints.length && endpoints[0] !== probe.url.href) {
    notes.push(`the documents name another address for the endpoint: ${endpoints[0]}`);
  }
  return { faults, notes };
}
