import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { makeArguments, mismatch } from "./checklist/arguments.ts";
import { mcpTools } from "./mod.ts";
import { testHost, testManifest } from "./testing/fixtures.ts";

const INFO = { name: "clients-test", version: "1.0.0" };

/** The members that both clients have. */
interface AnyClient {
  getServerVersion(): { name: string; version: string } | undefined;
  getServerCapabilities(): unknown;
  listTools(): Promise<{ tools: { name: string; inputSchema: Record<string, unknown> }[] }>;
  callTool(
    call: { name: string; arguments: Record<string, unknown> },
  ): Promise<Record<string, unknown>>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

const clients: Record<string, (url: URL) => Promise<AnyClient>> = {
  async "SDK v1"(url) {
    const client = new ClientV1(INFO);
    const transport = new TransportV1(url, { fetch: createLocalFetch() });
    await client.connect(transport);
    assertEquals(transport.protocolVersion, "2025-03-26");
    return client;
  },
  async "SDK v2"(url) {
    const client = new ClientV2(INFO);
    await client.connect(new TransportV2(url, { fetch: createLocalFetch() }));
    assertEquals(client.getNegotiatedProtocolVersion(), "2025-03-26");
    return client;
  },
  async "SDK v2, trying later revisions first"(url) {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new TransportV2(url, { fetch: createLocalFetch() }));
    assertEquals(client.getNegotiatedProtocolVersion(), "2025-03-26");
    return client;
  },
  async "SDK v1, sending its newest version twice"(url) {
    const client = new ClientV1(INFO);
    const fetch = sending("2025-11-25, 2025-11-25");
    await client.connect(new TransportV1(url, { fetch }));
    return client;
  },
  async "SDK v2, sending its newest version"(url) {
    const client = new ClientV2(INFO);
    await client.connect(new TransportV2(url, { fetch: sending("2026-07-28") }));
    return client;
  },
};

/** Sends versions with each message but `initialize`, whatever was negotiated, as large clients do. */
function sending(versions: string): typeof fetch {
  const send = createLocalFetch();
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (!String(init?.body).includes('"method":"initialize"')) {
      headers.set("mcp-protocol-version", versions);
    }
    return send(input, { ...init, headers });
  };
}

async function withHost(run: (url: URL) => Promise<void>) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, testHost());
  try {
    await run(new URL(`http://mcp.foundation.localhost:${server.addr.port}/mcp`));
  } finally {
    await server.shutdown();
  }
}

for (const [name, connect] of Object.entries(clients)) {
  Deno.test(`the official client (${name}) connects, lists the tools and calls each`, async () => {
    await withHost(async (url) => {
      const client = await connect(url);
      const { name, version } = client.getServerVersion()!;
      assertEquals([name, version], [testManifest.serverName, testManifest.version]);
      assertEquals(client.getServerCapabilities(), { tools: {} });
      await client.ping();

      const { tools } = await client.listTools();
      assertEquals(tools.length, mcpTools.length);
      for (const { name, inputSchema } of tools) {
        const args = makeArguments(inputSchema) as Record<string, unknown>;
        assertEquals(mismatch(inputSchema, args), undefined, name);
        const result = await client.callTool({ name, arguments: args });
        const [block] = result.content as { type: string; text: string }[];
        assertEquals([result.isError, block.type], [undefined, "text"], name);
        assert(block.text.length > 0);
      }

      const unknown = await client.callTool({ name: "no_such_tool", arguments: {} })
        .then(() => undefined, (error) => error);
      assertEquals(unknown?.code, -32602);
      await client.close();
    });
  });
}

Deno.test("the official client (SDK v2) pinned to a later revision refuses to connect", async () => {
  await withHost(async (url) => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const transport = new TransportV2(url, { fetch: createLocalFetch() });
    await assertRejects(() => client.connect(transport), Error, "did not offer");
  });
});
