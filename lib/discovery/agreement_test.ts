import { assertEquals } from "@std/assert";
import { testHost, testManifest } from "../mcp/testing.ts";
import { headLinks, linkHeader, SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH } from "./mod.ts";

const host = testHost();
const get = async (path: string) =>
  await (await host(new Request(testManifest.mcpBaseUrl + path))).json();

async function ask(url: string, method: string, params: unknown) {
  const request = new Request(url, {
    method: "POST",
    headers: { accept: "*/*", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await (await host(request)).json()).result;
}

Deno.test("card, descriptor, Link header and head tags say what the live server says", async () => {
  const card = await get(SERVER_CARD_PATH);
  const descriptor = await get(SERVER_DESCRIPTOR_PATH);
  const url = card.transport.url;
  assertEquals(descriptor.endpoints.streamable_http, url);
  assertEquals(linkHeader(testManifest).match(/<(.*)>/)?.[1], url);
  assertEquals(headLinks(testManifest)[0].href, url);

  // The address that they name is the one that answers.
  const live = await ask(url, "initialize", { protocolVersion: "2025-03-26", capabilities: {} });
  assertEquals(live.protocolVersion, card.protocolVersion);
  assertEquals(live.serverInfo, { name: card.serverInfo.name, version: card.serverInfo.version });
  assertEquals(live.serverInfo, {
    name: descriptor.server_name,
    version: descriptor.server_version,
  });
  for (const capability of ["tools", "resources", "prompts"]) {
    assertEquals(card.capabilities[capability], capability in live.capabilities, capability);
    assertEquals(descriptor.capabilities[capability], card.capabilities[capability]);
  }
  const { tools } = await ask(url, "tools/list", {});
  assertEquals(tools.length > 0, card.capabilities.tools);
});
