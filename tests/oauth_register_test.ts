import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY_MS } from "../lib/base/time.ts";
import { authorizePath, REDIRECT, registerClient } from "./oauth_site.ts";
import { createSite, type Site } from "./site.ts";

const site = await createSite({ MCP_REGISTRATION_LIMIT: "0" });

const register = (body: BodyInit, type = "application/json", on: Site = site) =>
  on.request("foundation-mcp", "/register", {
    method: "POST",
    headers: { "content-type": type, origin: "https://inspector.example" },
    body,
  });

const registerJson = (metadata: unknown) => register(JSON.stringify(metadata));

Deno.test("a registration returns 201 with a new id and no secret, whatever method it asks for", async () => {
  const metadata = {
    client_name: "  Example\u202e \n app ",
    redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/callback"],
    token_endpoint_auth_method: "client_secret_post",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "native",
    scope: "mcp",
    logo_uri: "https://app.example/logo.png",
  };
  const response = await registerJson(metadata);
  assertEquals(response.status, 201);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  const { client_id, client_id_issued_at, ...registered } = await response.json();
  assertMatch(client_id, /^[\w-]{22}$/);
  assert(Number.isInteger(client_id_issued_at));
  assertEquals(registered, {
    client_name: "Example app",
    redirect_uris: metadata.redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  });
  const again = await (await registerJson(metadata)).json();
  assert(again.client_id !== client_id);
});

Deno.test("a long name is cut to 100 characters, and a missing one is replaced", async () => {
  const nameOf = async (client_name?: string) =>
    (await (await registerJson({ client_name, redirect_uris: [REDIRECT] })).json()).client_name;
  assertEquals(await nameOf("𝕏".repeat(101)), "𝕏".repeat(100));
  assertEquals(await nameOf("\ud800\u200b"), "\ufffd");
  assertEquals(await nameOf(" "), "Unnamed client");
  assertEquals(await nameOf(), "Unnamed client");
});

const INVALID: [what: string, body: string, error: string][] = [
  ["no redirect URIs", "{}", "invalid_redirect_uri"],
  ["an empty list of redirect URIs", `{"redirect_uris":[]}`, "invalid_redirect_uri"],
  ["a redirect URI that is no text", `{"redirect_uris":[1]}`, "invalid_redirect_uri"],
  [
    "one redirect URI that is not allowed among others",
    JSON.stringify({ redirect_uris: [REDIRECT, "http://app.example/"] }),
    "invalid_redirect_uri",
  ],
  [
    "too many redirect URIs",
    JSON.stringify({ redirect_uris: Array.from({ length: 21 }, (_, i) => `${REDIRECT}/${i}`) }),
    "invalid_redirect_uri",
  ],
  ["an array", JSON.stringify([{ redirect_uris: [REDIRECT] }]), "invalid_client_metadata"],
  ["an empty array", "[]", "invalid_client_metadata"],
  ["a string", JSON.stringify(REDIRECT), "invalid_client_metadata"],
  ["null", "null", "invalid_client_metadata"],
  [
    "only other grant types",
    JSON.stringify({ redirect_uris: [REDIRECT], grant_types: ["client_credentials"] }),
    "invalid_client_metadata",
  ],
  [
    "only other response types",
    JSON.stringify({ redirect_uris: [REDIRECT], response_types: ["token"] }),
    "invalid_client_metadata",
  ],
  [
    "a name that is no text",
    JSON.stringify({ redirect_uris: [REDIRECT], client_name: {} }),
    "invalid_client_metadata",
  ],
  ["malformed JSON", "{", "invalid_client_metadata"],
  ["more than 16 KiB", JSON.stringify({ x: "x".repeat(17_000) }), "invalid_client_metadata"],
];

for (const [what, body, expected] of INVALID) {
  Deno.test(`a registration with ${what} returns ${expected}`, async () => {
    const response = await register(body);
    assertEquals(response.status, 400);
    assertEquals(response.headers.get("cache-control"), "no-store");
    const { error, error_description } = await response.json();
    assertEquals(error, expected);
    assertEquals(typeof error_description, "string");
  });
}

Deno.test("other methods return 405 as JSON, to browsers too", async () => {
  const response = await site.request("foundation-mcp", "/register", {
    headers: { accept: "text/html" },
  });
  assertEquals([response.status, response.headers.get("allow")], [405, "POST"]);
  assertEquals((await response.json()).error, "method_not_allowed");
});

Deno.test("a registration as a form is refused", async () => {
  const response = await register(`redirect_uris=${REDIRECT}`, "application/x-www-form-urlencoded");
  assertEquals([response.status, (await response.json()).error], [400, "invalid_client_metadata"]);
});

Deno.test("registrations are limited per client address, with Retry-After", async () => {
  await using limited = await createSite({ MCP_REGISTRATION_LIMIT: "2", TRUST_PROXY: "1" });
  const from = async (address: string) => {
    const response = await limited.request("foundation-mcp", "/register", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ redirect_uris: [REDIRECT] }),
    });
    return [response.status, Number(response.headers.get("retry-after")) > 0];
  };
  assertEquals(await from("198.51.100.1"), [201, false]);
  assertEquals(await from("198.51.100.1"), [201, false]);
  assertEquals(await from("198.51.100.1"), [429, true]);
  assertEquals(await from("198.51.100.2"), [201, false]);
});

Deno.test("a registration expires after 7 unused days, and 180 days after its last use", async () => {
  let now = Date.parse("2026-03-01T10:00:00Z");
  await using timed = await createSite({}, { clock: () => now });
  const known = async (id: string) =>
    (await timed.request("foundation-mcp", authorizePath(id))).status === 302;
  const [unused, used] = [await registerClient(timed), await registerClient(timed)];
  await timed.services.oauth.touchClient(used);
  now += 7 * DAY_MS - 1;
  assert(await known(unused));
  now += 1;
  assertEquals([await known(unused), await known(used)], [false, true]);
  await timed.services.oauth.touchClient(used);
  now += 180 * DAY_MS - 1;
  assert(await known(used));
  now += 1;
  assertEquals(await known(used), false);
});
