import { assertEquals } from "@std/assert";
import { headLinks, linkHeader, serverCard, serverDescriptor } from "./mod.ts";
import { createManifest } from "./manifest.ts";

const foundation = createManifest({
  organisation: "foundation",
  organisationName: "Open Records Foundation",
  description: "Steward of the standard.",
  contactEmail: "contact@foundation.example",
  siteBaseUrl: "https://foundation.example/",
  mcpBaseUrl: "https://mcp.foundation.example",
});
const commercial = createManifest({
  organisation: "commercial",
  organisationName: "Açme & Söhne",
  description: "Certification infrastructure.",
  contactEmail: "contact@commercial.example",
  siteBaseUrl: "https://commercial.example",
  mcpBaseUrl: "https://mcp.commercial.example//",
});

/** Compares two documents as they are served, including the order of their members. */
function assertSameText(actual: unknown, expected: unknown) {
  assertEquals(JSON.stringify(actual, null, 2), JSON.stringify(expected, null, 2));
}

Deno.test("serverCard() returns the card of spec 2.7", () => {
  assertSameText(serverCard(foundation), {
    $schema: "https://modelcontextprotocol.io/schemas/server-card/v1.0",
    version: "1.0",
    protocolVersion: "2025-03-26",
    serverInfo: {
      name: "open-records-foundation",
      version: "1.0.0",
      description: "Steward of the standard.",
      homepage: "https://foundation.example",
    },
    transport: {
      type: "streamable-http",
      url: "https://mcp.foundation.example/mcp",
    },
    capabilities: { tools: true, resources: false, prompts: false },
    authentication: {
      required: false,
      methods: ["oauth2"],
      note: "Unauthenticated access available; OAuth 2.1 with PKCE for enhanced access",
    },
    contact: { email: "contact@foundation.example" },
  });
});

Deno.test("serverDescriptor() returns the descriptor of spec 2.7", () => {
  assertSameText(serverDescriptor(commercial), {
    mcp_version: "1.0",
    server_name: "acme-soehne",
    server_version: "1.0.0",
    endpoints: { streamable_http: "https://mcp.commercial.example/mcp" },
    capabilities: {
      tools: true,
      resources: false,
      prompts: false,
      sampling: false,
      roots: false,
    },
    authentication: {
      required: false,
      methods: ["oauth2"],
      oauth2: {
        authorization_endpoint: "https://mcp.commercial.example/authorize",
        token_endpoint: "https://mcp.commercial.example/token",
      },
    },
    security: {
      tls_required: true,
      min_tls_version: "1.2",
      security_contact: "contact@commercial.example",
    },
    rate_limits: { requests_per_minute: 60 },
  });
});

Deno.test("the two variants differ only in their name, description, homepage, URLs and contact", () => {
  const paths = (a: unknown, b: unknown, path = ""): string[] => {
    if (typeof a !== "object" || a === null) return a === b ? [] : [path];
    return Object.keys(a).flatMap((key) =>
      paths(a[key as never], (b as Record<string, unknown>)[key], `${path}/${key}`)
    );
  };
  assertEquals(paths(serverCard(foundation), serverCard(commercial)), [
    "/serverInfo/name",
    "/serverInfo/description",
    "/serverInfo/homepage",
    "/transport/url",
    "/contact/email",
  ]);
  assertEquals(
    paths(serverDescriptor(foundation), serverDescriptor(commercial)),
    [
      "/server_name",
      "/endpoints/streamable_http",
      "/authentication/oauth2/authorization_endpoint",
      "/authentication/oauth2/token_endpoint",
      "/security/security_contact",
    ],
  );
});

Deno.test("linkHeader() and headLinks() name the endpoint and the card", () => {
  assertEquals(
    linkHeader(foundation),
    '<https://mcp.foundation.example/mcp>; rel="mcp-server"; type="application/json"',
  );
  assertEquals(headLinks(foundation), [
    {
      rel: "mcp-server",
      href: "https://mcp.foundation.example/mcp",
      title: "Open Records Foundation MCP server",
    },
    {
      rel: "mcp-server-card",
      href: "https://foundation.example/.well-known/mcp/server-card.json",
      type: "application/json",
    },
  ]);
});

const NAMES: [name: string, expected: string][] = [
  ["Größe & Cö.", "groesse-coe"],
  ["GRÖẞE & CO", "groesse-co"],
  ["Große".normalize("NFD"), "grosse"],
  ["Müller".normalize("NFD"), "mueller"],
  ["Açme – Étoilée, S.à r.l.", "acme-etoilee-s-a-r-l"],
  ["Łódź Ærø İstanbul Þingvellir Đặng", "lodz-aero-istanbul-thingvellir-dang"],
  ["ﬁrst № 1", "first-no-1"],
  ["Acme 日本", "acme"],
  ["記録財団", "foundation"],
  ["Фонд записей Ltd", "foundation"],
  ["& 🎓 —", "foundation"],
  ["42", "42"],
];

Deno.test("createManifest() derives the server's name from the organisation's, in ASCII", () => {
  for (const [organisationName, expected] of NAMES) {
    assertEquals(createManifest({ ...foundation, organisationName }).serverName, expected);
  }
});

Deno.test("serverDescriptor() declares the configured limit", () => {
  const manifest = createManifest({ ...foundation, requestsPerMinute: 10 });
  assertEquals(serverDescriptor(manifest).rate_limits, { requests_per_minute: 10 });
});
