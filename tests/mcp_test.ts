import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { TEXTS, WORKS_WITH } from "../components/mcp/texts.ts";
import {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  installs,
  mcpTools,
  REGISTRY_CARD_PATH,
  REGISTRY_CARD_TYPE,
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_PATH,
  SERVER_DESCRIPTOR_PATH,
  serverCard,
  serverDescriptor,
} from "../lib/features/mcp/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HEADINGS } from "./badge_page.ts";
import { createSite, type Site } from "./site.ts";

const SITES = ["foundation", "commercial"] as const;

const openSite = () =>
  createSite({
    COMMERCIAL_NAME: "Seals & Sons",
    COMMERCIAL_CODE_HOST_URL: "https://git.example/seals",
    COMMERCIAL_REGISTRATION: "ABN 12 345 678 901, 1 Example Street",
  });

const html = async (site: Site, ...args: Parameters<Site["request"]>): Promise<string> =>
  await (await site.request(...args)).text();

/** Returns the text of a page without tags, scripts and styles. */
function textOf(source: string): string {
  return source.replace(/<(script|style)\b.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

for (const surface of SITES) {
  Deno.test(`${surface}: the card, descriptor, Link header and head tags agree with the server`, async () => {
    await using site = await openSite();
    const mcpSurface = `${surface}-mcp` as const;
    const read = async (path: string) => {
      const [own, other] = await Promise.all(
        [surface, mcpSurface].map(async (host) => (await site.request(host, path)).json()),
      );
      assertEquals(own, other, "both hosts serve the same document");
      return own;
    };
    const call = async (method: string, params: unknown) => {
      const response = await site.request(mcpSurface, "/mcp", {
        method: "POST",
        headers: { accept: "*/*", "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return (await response.json()).result;
    };
    const card = await read(SERVER_CARD_PATH);
    const descriptor = await read(SERVER_DESCRIPTOR_PATH);
    const manifest = site.services.manifests[surface];
    for (
      const [path, document] of [
        [SERVER_CARD_PATH, serverCard(manifest)],
        [SERVER_DESCRIPTOR_PATH, serverDescriptor(manifest)],
      ] as const
    ) assertEquals(await html(site, surface, path), JSON.stringify(document, null, 2));
    const { url } = card.transport;
    assertEquals(url, site.services.surfaces.url(mcpSurface, "/mcp"));
    assertEquals(descriptor.endpoints.streamable_http, url);
    const page = await site.request(surface, "/");
    assertEquals(page.headers.get("link")?.match(/<(.*)>/)?.[1], url);
    assertStringIncludes(await page.text(), `<link rel="mcp-server" href="${url}"`);

    const live = await call("initialize", { protocolVersion: "2025-03-26", capabilities: {} });
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
    const { tools } = await call("tools/list", {});
    assertEquals(tools.length, mcpTools.length);

    const catalog = await read(AI_CATALOG_PATH);
    const readUrl = (url: string) => {
      const base = site.services.surfaces.url(mcpSurface)!;
      assertStringIncludes(url, base);
      return site.request(mcpSurface, url.slice(base.length));
    };
    const response = await readUrl(catalog.entries[0].url);
    assertEquals(response.headers.get("content-type"), catalog.entries[0].type);
    const { name, version, remotes } = await response.json();
    assertEquals(name.split("/")[1], live.serverInfo.name);
    assertEquals(version, live.serverInfo.version);
    const supportedProtocolVersions = [live.protocolVersion];
    assertEquals(remotes, [{ type: "streamable-http", url, supportedProtocolVersions }]);
    const entry = await (await site.request(mcpSurface, REGISTRY_ENTRY_PATH)).json();
    assertEquals([entry.name, entry.version, entry.remotes[0].url], [name, version, url]);
    const icon = await readUrl(entry.icons[0].src);
    await icon.body?.cancel();
    assertEquals([icon.status, icon.headers.get("content-type")], [200, "image/png"]);
  });

  Deno.test(`${surface}: catalogues read the documents from any origin, and revalidate them`, async () => {
    await using site = await openSite();
    const mcpSurface = `${surface}-mcp` as const;
    const served: [host: SurfaceName, path: string, type: string][] = [
      [surface, AI_CATALOG_PATH, AI_CATALOG_TYPE],
      [mcpSurface, REGISTRY_CARD_PATH, REGISTRY_CARD_TYPE],
      [mcpSurface, REGISTRY_ENTRY_PATH, "application/json"],
    ];
    for (const [host, path, type] of served) {
      const headers = { origin: "https://catalogue.example", accept: type };
      const first = await site.request(host, path, { headers });
      await first.body?.cancel();
      assertEquals(first.headers.get("content-type"), type);
      assertEquals(first.headers.get("access-control-allow-origin"), "*");
      assertEquals(first.headers.get("cache-control"), "public, max-age=3600");
      const etag = first.headers.get("etag")!;
      const second = await site.request(host, path, { headers: { "if-none-match": etag } });
      assertEquals([second.status, await second.text()], [304, ""]);
    }
  });

  Deno.test(`${surface}: /connect has every section and connection string once`, async () => {
    await using site = await openSite();
    const source = await html(site, surface, "/connect");
    const found = [...source.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map((match) => match[1]);
    assertEquals(found, HEADINGS);

    const manifest = site.services.manifests[surface];
    const text = textOf(source);
    for (
      const once of [
        `claude mcp add --transport http ${manifest.serverName} ${manifest.endpoint}`,
        `"url": "${manifest.endpoint}"`,
        `Works with ${WORKS_WITH.join(" · ")}`,
        "no account",
        "read-only",
        "Continue without a record",
      ]
    ) assertEquals(text.split(once).length, 2, once);
    assertFalse(text.includes("catalogue of qualifications"));
    assertFalse(source.includes(`class="copy rounded accent"`), "copy buttons need scripts");

    const { name } = site.services.config.organisations[surface];
    const title = `Connect your agent to ${name.replace("&", "&amp;")}`;
    assertStringIncludes(source, `<title>${title}</title>`);
    assertEquals(source.match(/<meta name="description"/g)?.length, 1);
  });

  Deno.test(`${surface}: every page has the badge, and no page contains the text of its dialog`, async () => {
    await using site = await openSite();
    for (const path of ["/", "/standard", "/standard/records", "/connect"]) {
      const source = await html(site, surface, path);
      assertEquals(source.match(/>MCP Enabled ↓<\/a>/g)?.length, 1, path);
      const current = path === "/connect" ? ' data-current="true" aria-current="page"' : "";
      assertStringIncludes(source, `<a class="mcp-badge" href="/connect"${current}>`);
      assertFalse(source.includes("<dialog"), path);
      if (path !== "/connect") assertFalse(source.includes(HEADINGS[0]), path);
    }
    const source = await html(site, surface, "/nowhere");
    assertStringIncludes(source, `<a class="mcp-badge" href="/connect">MCP Enabled ↓</a>`);
    assertFalse(source.includes("<script"), "error pages have no scripts");
  });
}

for (const [setting, stated] of [["0", null], ["10", 10], ["", 60]] as const) {
  Deno.test(`MCP_RATE_LIMIT="${setting}": the descriptor and the tool state ${stated}`, async () => {
    await using site = await createSite({ MCP_RATE_LIMIT: setting });
    for (const surface of ["foundation", "foundation-mcp"] as const) {
      const descriptor = await (await site.request(surface, SERVER_DESCRIPTOR_PATH)).json();
      assertEquals(descriptor.rate_limits, { requests_per_minute: stated });
    }
    const response = await site.request("foundation-mcp", "/mcp", {
      method: "POST",
      headers: { accept: "*/*", "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "describe_organisation", arguments: {} },
      }),
    });
    const { mcp } = JSON.parse((await response.json()).result.content[0].text);
    assertEquals(mcp.requests_per_minute, stated);
  });
}

Deno.test("/connect on the commercial site shows its own organisation, URLs and description", async () => {
  await using site = await openSite();
  const { foundation, commercial } = site.services.manifests;
  const source = await html(site, "commercial", "/connect");
  const text = textOf(source);
  for (
    const part of [
      "Seals & Sons, ABN 12 345 678 901, 1 Example Street",
      "https://git.example/seals",
      commercial.endpoint,
      commercial.description,
      "Our certification infrastructure registers",
      commercial.contactEmail,
      `${foundation.organisationName} maintains it at ${foundation.siteBaseUrl}`,
    ]
  ) assertStringIncludes(text, part);
  assertFalse(text.includes(foundation.endpoint));
  assertFalse(
    text.includes("open-records-foundation"),
    "it does not link to the foundation's repositories",
  );
  assertStringIncludes(
    source,
    `<a href="https://git.example/seals">https://git.example/seals</a>.`,
  );
  assertStringIncludes(source, `<a href="mailto:contact@commercial.example">`);

  const other = await html(site, "foundation", "/connect");
  assertFalse(other.includes("git.example"));
  const [head, foot] = other.split("<footer");
  assertFalse(textOf(head).includes("Seals"));
  assertMatch(textOf(`<footer${foot}`), /Seals & Sons ?, which .* is a separate organisation\./);
});

Deno.test("the MCP host says how to add the server, with and without an account, and /connect leads there", async () => {
  await using site = await openSite();
  const { vscode, cursor, codex, claudeCode } = installs(site.services.manifests.commercial);
  const source = await html(site, "commercial-mcp", "/");
  for (const link of [vscode, cursor.replaceAll("&", "&amp;")]) {
    assertStringIncludes(source, `href="${link}"`);
  }
  const text = textOf(source);
  for (const part of [codex, claudeCode, "You need no account", "600 requests per minute"]) {
    assertStringIncludes(text, part);
  }
  assertStringIncludes(source, `href="${site.services.surfaces.url("trust", "/my-record")}"`);
  const host = site.services.surfaces.url("commercial-mcp", "/#clients");
  assertStringIncludes(await html(site, "commercial", "/connect"), `href="${host}"`);
  await using open = await createSite({ MCP_RATE_LIMIT: "0" });
  assertFalse(textOf(await html(open, "commercial-mcp", "/")).includes("requests per minute"));
});

Deno.test("other surfaces have no badge and return 404 for /connect", async () => {
  await using site = await openSite();
  for (const surface of ["trust", "site", "foundation-mcp"] as const) {
    assertFalse((await html(site, surface, "/")).includes("mcp-badge"), surface);
    const response = await site.request(surface, "/connect");
    await response.body?.cancel();
    assertEquals(response.status, 404, surface);
  }
});

Deno.test("GET /mcp returns 405 with a JSON-RPC error to browsers and to clients that expect a stream", async () => {
  await using site = await openSite();
  for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "text/event-stream"]) {
    const response = await site.request("foundation-mcp", "/mcp", { headers: { accept } });
    assertEquals([response.status, response.headers.get("allow")], [405, "POST"]);
    assertEquals(response.headers.get("content-type"), "application/json");
    assertEquals((await response.json()).error.code, -32000);
  }
});

Deno.test("both hosts of an organisation prove its registry key, if one is configured", async () => {
  const key = "A".repeat(43) + "=";
  await using site = await createSite({ COMMERCIAL_MCP_REGISTRY_KEY: key });
  const path = "/.well-known/mcp-registry-auth";
  for (const surface of ["commercial", "commercial-mcp"] as const) {
    assertEquals(await html(site, surface, path), `v=MCPv1; k=ed25519; p=${key}\n`);
  }
  const response = await site.request("foundation", path);
  await response.body?.cancel();
  assertEquals(response.status, 404);
});

Deno.test("WORKS_WITH lists the products in alphabetical order", () => {
  assertEquals(new Set(WORKS_WITH).size, 12);
  assertEquals(WORKS_WITH, WORKS_WITH.toSorted((a, b) => a.localeCompare(b, "en")));
});

Deno.test("the suggested questions can be answered here", async () => {
  await using site = await openSite();
  const { catalogue, standard } = site.services;
  const code = /[A-Z]{3}\d{5}/.exec(TEXTS.commercial.question)![0];
  assert(catalogue.get(code)?.superseded_by, code);
  assert(standard.sections.some(({ id }) => id === "heads"));
  assertStringIncludes(TEXTS.foundation.question, "signed head");
});

for (const path of [SERVER_CARD_PATH, SERVER_DESCRIPTOR_PATH]) {
  const send = (site: Site, method: string, headers: HeadersInit = {}) =>
    site.request("foundation-mcp", path, { method, headers });

  Deno.test(`GET and HEAD ${path} return JSON for every origin, cached for an hour`, async () => {
    await using site = await openSite();
    for (const method of ["GET", "HEAD"]) {
      const response = await send(site, method, { origin: "https://scanner.example" });
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("content-type"), "application/json");
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      assertEquals(response.headers.get("cache-control"), "public, max-age=3600");
      assertEquals(response.headers.get("vary"), null);
      await response.body?.cancel();
    }
  });

  Deno.test(`GET ${path} with a matching If-None-Match returns 304 without a body`, async () => {
    await using site = await openSite();
    const first = await send(site, "GET");
    await first.body?.cancel();
    const tag = first.headers.get("etag")!;
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await send(site, "GET", { "if-none-match": value });
      assertEquals(response.status, 304, value);
      assertEquals(response.headers.get("etag"), tag);
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      assertEquals(await response.text(), "");
    }
    const response = await send(site, "GET", { "if-none-match": '"other"' });
    assertEquals(response.status, 200);
    await response.body?.cancel();
    const other = await site.request("commercial-mcp", path);
    assertNotEquals(other.headers.get("etag"), tag);
    await other.body?.cancel();
  });

  Deno.test(`OPTIONS ${path} allows GET and HEAD with any header`, async () => {
    await using site = await openSite();
    const response = await send(site, "OPTIONS", { origin: "https://scanner.example" });
    assertEquals(response.status, 204);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(response.headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS");
    assertEquals(response.headers.get("access-control-allow-headers"), "*");
  });

  Deno.test(`POST, PUT and DELETE ${path} return 405 with Allow`, async () => {
    await using site = await openSite();
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await send(site, method);
      assertEquals(response.status, 405);
      assertEquals(response.headers.get("allow"), "GET, HEAD");
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      assertEquals((await response.json()).error, "method_not_allowed");
    }
  });
}
