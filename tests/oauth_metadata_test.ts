import { assert, assertEquals, assertFalse } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { productionEnv } from "../lib/app/testing/production.ts";
import { generatePrivateJwk } from "../packages/proof/mod.ts";
import { answerOf, authorizePath, ISSUER, registerClient } from "./oauth_site.ts";
import { createSite } from "./site.ts";

const published = await createSite();
const challenge = await createSite({ MCP_OAUTH: "challenge" });

const RESOURCE_ROOT = "/.well-known/oauth-protected-resource";
const RESOURCE = `${RESOURCE_ROOT}/mcp`;
const SERVER = "/.well-known/oauth-authorization-server";
const TRUST = "http://trust.localhost:8000";
const HIDDEN_RESOURCE = "/oauth/protected-resource";

const MCP_HOSTS = {
  "foundation": ["foundation.example"],
  "foundation-mcp": ["mcp.foundation.example"],
};

async function read(site: typeof published, path: string, surface: SurfaceName = "foundation-mcp") {
  const response = await site.request(surface, path);
  assertEquals(response.status, 200);
  return await response.json();
}

const serverOf = (issuer: string, base: string, trust: string) => ({
  issuer,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  registration_endpoint: `${base}/register`,
  revocation_endpoint: `${base}/revoke`,
  scopes_supported: ["mcp", "record", "notifications", "offline_access"],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [`${base}/mcp`, `${trust}/api/push/register`],
});

const resourceOf = (issuer: string, base: string) => ({
  resource: `${base}/mcp`,
  authorization_servers: [issuer],
  scopes_supported: ["mcp", "record"],
  bearer_methods_supported: ["header"],
});

for (
  const [surface, base, trust] of [
    ["foundation-mcp", ISSUER, TRUST],
    ["commercial-mcp", "http://mcp.commercial.localhost:8000", TRUST],
    ["workbench", "http://localhost:8000", "http://localhost:8000"],
  ] as const
) {
  Deno.test(`${surface}: published metadata is at the well-known paths, with the root as issuer`, async () => {
    assertEquals(await read(published, RESOURCE, surface), resourceOf(base, base));
    assertEquals(await read(published, RESOURCE_ROOT, surface), resourceOf(base, base));
    assertEquals(await read(published, SERVER, surface), serverOf(base, base, trust));
    for (const path of [HIDDEN_RESOURCE, `${SERVER}/oauth`]) {
      assertEquals((await published.request(surface, path)).status, 404);
    }
  });

  Deno.test(`${surface}: in challenge mode only a challenge leads to the metadata`, async () => {
    const { services } = challenge;
    const issuer = services.oauth.issuerOf(services.surfaces.get(surface)!)!;
    const path = issuer.resourceMetadataUrl.slice(base.length);
    assertEquals(path, HIDDEN_RESOURCE);
    const resource = await read(challenge, path, surface);
    assertEquals(resource, resourceOf(`${base}/oauth`, base));
    // RFC 8414, section 3.1: the issuer's path follows the well-known part
    const { origin, pathname } = new URL(resource.authorization_servers[0]);
    assertEquals(origin, base);
    assertEquals(
      await read(challenge, SERVER + pathname, surface),
      serverOf(`${base}/oauth`, base, trust),
    );
    for (
      const probe of [
        RESOURCE,
        RESOURCE_ROOT,
        SERVER,
        `${SERVER}/mcp`,
        "/.well-known/openid-configuration",
      ]
    ) {
      const response = await challenge.request(surface, probe);
      assertEquals(response.status, 404);
      assertEquals((await response.json()).error, "not_found");
    }
  });
}

Deno.test("in challenge mode responses name the issuer with its path", async () => {
  const client = await registerClient(challenge);
  const path = authorizePath(client, { response_type: null });
  const { error, iss } = answerOf(await challenge.request("foundation-mcp", path));
  assertEquals([error, iss], ["invalid_request", `${ISSUER}/oauth`]);
});

Deno.test("scripts of every origin may read the metadata and register, and never call /authorize", async () => {
  const origin = "https://inspector.example";
  const preflight = (path: string, method: string) =>
    published.request("foundation-mcp", path, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,mcp-protocol-version",
      },
    });
  for (const [path, method] of [[RESOURCE, "GET"], [SERVER, "GET"], ["/register", "POST"]]) {
    const { status, headers } = await preflight(path, method);
    assertEquals([status, headers.get("access-control-allow-origin")], [204, "*"]);
    assert(headers.get("access-control-allow-methods")!.split(", ").includes(method));
    const allowed = headers.get("access-control-allow-headers")!.split(", ");
    for (const name of ["authorization", "content-type", "mcp-protocol-version"]) {
      assert(allowed.includes(name), name);
    }
  }
  const document = await published.request("foundation-mcp", SERVER, { headers: { origin } });
  assertEquals(document.headers.get("access-control-allow-origin"), "*");
  assert(document.headers.get("access-control-expose-headers")!.includes("WWW-Authenticate"));
  const authorize = await preflight("/authorize", "GET");
  assertEquals(authorize.status, 204);
  assertFalse(authorize.headers.has("access-control-allow-origin"));
});

Deno.test("without a trust surface nobody can sign in, so every endpoint returns 404", async () => {
  const hosts = MCP_HOSTS;
  await using site = await createSite(productionEnv(hosts, {
    CHAIN_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
    LOG_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
  }));
  for (const path of [RESOURCE, SERVER, "/authorize"]) {
    assertEquals((await site.request("foundation-mcp", path)).status, 404);
  }
  const register = await site.request("foundation-mcp", "/register", { method: "POST" });
  assertEquals(register.status, 404);
});

Deno.test("over https the cookie has a prefix that no other host can set", async () => {
  const hosts = { ...MCP_HOSTS, trust: ["trust.example"] };
  await using site = await createSite(productionEnv(hosts, {
    CHAIN_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
    LOG_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
  }));
  const client = await registerClient(site);
  const response = await site.request("foundation-mcp", authorizePath(client));
  assert(
    response.headers.get("location")!.startsWith("https://trust.example/my-record/authorize?"),
  );
  assert(response.headers.get("set-cookie")!.startsWith("__Host-oauth_request="));
});
