import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { aiCatalog, registryCard, registryEntry, serverCard, serverDescriptor } from "./mod.ts";
import { createManifest } from "./manifest.ts";

const input = {
  organisation: "foundation",
  organisationName: "Open Records Foundation",
  description: "Steward of the open standard for verifiable records.",
  contactEmail: "contact@records.example",
  siteBaseUrl: "https://www.records.example",
  mcpBaseUrl: "https://mcp.records.example",
} as const;
const manifest = createManifest(input);

// The constraints of the published schemas, in our words. Unlike those, they reject unknown members.

const shared = {
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255).regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url().optional(),
  icons: z.array(z.strictObject({
    src: z.url().max(255),
    mimeType: z.enum(["image/png", "image/jpeg", "image/svg+xml", "image/webp"]),
    sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
  })),
};
const remote = { type: z.literal("streamable-http"), url: z.url({ protocol: /^https?$/ }) };
const SCHEMAS = {
  card: z.strictObject({
    $schema: z.literal(
      "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ),
    ...shared,
    remotes: z.array(
      z.strictObject({ ...remote, supportedProtocolVersions: z.array(z.iso.date()).min(1) }),
    ).length(1),
  }),
  entry: z.strictObject({
    $schema: z.literal(
      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ),
    ...shared,
    remotes: z.array(z.strictObject(remote)).length(1),
  }),
  catalog: z.strictObject({
    specVersion: z.string().regex(/^\d+\.\d+$/),
    entries: z.array(z.strictObject({
      identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
      type: z.literal("application/mcp-server-card+json"),
      url: z.url(),
    })),
  }),
};

function documentsOf(changes: Partial<Parameters<typeof createManifest>[0]>) {
  const manifest = createManifest({ ...input, ...changes });
  return {
    card: SCHEMAS.card.parse(registryCard(manifest)),
    entry: SCHEMAS.entry.parse(registryEntry(manifest)),
    catalog: SCHEMAS.catalog.parse(aiCatalog(manifest)),
  };
}

Deno.test("all five documents contain the same name, version, URL and protocol version", () => {
  const { card, entry, catalog } = documentsOf({});
  const [pinned, descriptor] = [serverCard(manifest), serverDescriptor(manifest)];
  const [, name] = card.name.split("/");
  assertEquals(card.name, "example.records/open-records-foundation");
  assertEquals(entry.name, card.name);
  assertEquals([pinned.serverInfo.name, descriptor.server_name], [name, name]);
  assertEquals(catalog.entries, [{
    identifier: `urn:air:records.example:mcp:${name}`,
    type: "application/mcp-server-card+json",
    url: "https://mcp.records.example/mcp/server-card",
  }]);

  const { version, remotes: [{ url, supportedProtocolVersions }] } = card;
  assertEquals([pinned.serverInfo.version, descriptor.server_version], [version, version]);
  assertEquals(entry.version, version);
  assertEquals([pinned.transport.url, descriptor.endpoints.streamable_http], [url, url]);
  assertEquals(entry.remotes, [{ type: "streamable-http", url }]);
  assertEquals(catalog.entries[0].url, `${url}/server-card`);
  assertEquals(supportedProtocolVersions, [pinned.protocolVersion]);
  assertEquals(pinned.protocolVersion, "2025-03-26");
});

Deno.test("the name's domain contains the endpoint, as the registry requires", () => {
  const cases: [siteBaseUrl: string, mcpBaseUrl: string, namespace: string][] = [
    ["https://records.example", "https://mcp.records.example", "example.records"],
    ["https://www.records.example", "https://mcp.records.example", "example.records"],
    ["https://records.example", "https://mcp.elsewhere.example", "example.elsewhere.mcp"],
    ["https://records.example", "https://mcprecords.example", "example.mcprecords"],
    ["", "https://mcp.records.example", "example.records.mcp"],
    [
      "http://foundation.localhost:8000",
      "http://mcp.foundation.localhost:8000",
      "localhost.foundation",
    ],
  ];
  for (const [siteBaseUrl, mcpBaseUrl, namespace] of cases) {
    const { card, entry, catalog } = documentsOf({ siteBaseUrl, mcpBaseUrl });
    assertEquals(card.name, `${namespace}/open-records-foundation`);
    assertEquals("websiteUrl" in entry, siteBaseUrl !== "");
    const domain = namespace.split(".").reverse().join(".");
    assertStringIncludes(catalog.entries[0].identifier, `urn:air:${domain}:`);
  }
});

Deno.test("names and descriptions of any length and script satisfy the schemas", () => {
  const long = "Certification infrastructure for the open standard for verifiable records. ".repeat(
    3,
  );
  const { card } = documentsOf({
    description: long,
    organisationName: "Records & Seals ".repeat(9),
  });
  const [text, rest] = card.description.split("…");
  assert(long.startsWith(`${text} `), "the description ends with a whole word");
  assertEquals(rest, "");
  assert(card.description.length > 80);
  for (const text of ["x".repeat(300), "記録".repeat(90), `${"x".repeat(98)} 1`]) {
    documentsOf({ description: text, organisationName: text });
  }
  assertEquals(documentsOf({ description: "x".repeat(100) }).card.description, "x".repeat(100));
});

Deno.test("aiCatalog() lists nothing if the deployment has no MCP host", () => {
  const catalog = aiCatalog(createManifest({ ...input, mcpBaseUrl: "" }));
  assertEquals(catalog, { specVersion: "1.0", entries: [] });
});
