import { assertEquals, assertStringIncludes } from "@std/assert";
import { testHost, testManifest } from "../testing/fixtures.ts";
import { oauth } from "./oauth.ts";
import { Probe } from "./probe.ts";

// deno-lint-ignore no-explicit-any
type Json = Record<string, any>;

const BASE = "https://mcp.foundation.example";
const SERVER = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource/mcp";
const host = testHost();

/** The responses of a server with OAuth besides `/mcp`. `challenge` is the value of `WWW-Authenticate`. */
interface Served {
  challenge: string | null;
  documents: Record<string, Json>;
  authorize: () => Response;
  token: () => Response;
}

const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${BASE}/authorize`,
  token_endpoint: `${BASE}/token`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
});
const resourceMetadata = (issuer: string) => ({
  resource: testManifest.endpoint,
  authorization_servers: [issuer],
});
const challengeTo = (path: string) => `Bearer resource_metadata="${BASE}${path}", scope="mcp"`;

const endpoints = {
  authorize: () => new Response("<h1>Unknown client</h1>", { status: 400 }),
  token: () => Response.json({ error: "invalid_request" }, { status: 400 }),
};
const published = (): Served => ({
  ...endpoints,
  challenge: challengeTo(RESOURCE),
  documents: { [SERVER]: serverMetadata(BASE), [RESOURCE]: resourceMetadata(BASE) },
});
const hidden = (): Served => ({
  ...endpoints,
  challenge: challengeTo("/oauth/protected-resource"),
  documents: {
    [`${SERVER}/oauth`]: serverMetadata(`${BASE}/oauth`),
    "/oauth/protected-resource": resourceMetadata(`${BASE}/oauth`),
  },
});

function check(served: Served) {
  const respond = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp" && request.headers.has("authorization") && served.challenge !== null) {
      const headers = { "www-authenticate": served.challenge };
      return new Response(null, { status: 401, headers });
    }
    if (pathname === "/authorize") return served.authorize();
    if (pathname === "/token") return served.token();
    const document = served.documents[pathname];
    return document === undefined ? await host(request) : Response.json(document);
  };
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => respond(new Request(input, init));
  const options = { fetch, sleep: () => Promise.resolve(), timeoutMs: 5_000 };
  return oauth(new Probe(new URL(testManifest.endpoint), options));
}

const CLEAN = { errors: [], notes: [] };

Deno.test("metadata at the origin passes, with and without a challenge", async () => {
  assertEquals(await check(published()), CLEAN);
  assertEquals(await check({ ...published(), challenge: null }), CLEAN);
  // 2025-03-26 knows no metadata of the resource
  const documents = { [SERVER]: serverMetadata(BASE) };
  assertEquals(await check({ ...published(), challenge: "Bearer", documents }), CLEAN);
});

Deno.test("metadata that only a challenge leads to passes", async () => {
  assertEquals(await check(hidden()), CLEAN);
});

Deno.test("absent metadata is noted", async () => {
  const { errors, notes } = await check({ ...published(), challenge: null, documents: {} });
  assertEquals(errors, []);
  assertStringIncludes(notes[0], "noted for future upgrade");
});

Deno.test("metadata of another address of the endpoint is noted", async () => {
  const served = published();
  served.documents[RESOURCE].resource = `${BASE}/mcp/`;
  const { errors, notes } = await check(served);
  assertEquals([errors, notes.length], [[], 1]);
});

// deno-fmt-ignore: one case per line
const broken: [what: string, served: () => Served, error: string][] = [
  ["a challenge without metadata", () => ({ ...hidden(), challenge: "Bearer", documents: {} }), "where to get a valid one"],
  ["a challenge that names a file", () => ({ ...hidden(), challenge: 'Bearer resource_metadata="file:///etc/passwd"' }), "file:///etc/passwd"],
  ["a challenge to a missing document", () => ({ ...published(), challenge: challengeTo("/nowhere") }), "returned 404"],
  ["a challenge to the metadata of the server", () => ({ ...published(), challenge: challengeTo(SERVER) }), "authorization_servers"],
  ["an issuer without metadata", () => ({ ...hidden(), documents: { "/oauth/protected-resource": resourceMetadata(`${BASE}/oauth`) } }), "returned 404"],
  ["another issuer in the metadata", () => ({ ...hidden(), documents: { ...hidden().documents, [`${SERVER}/oauth`]: serverMetadata(BASE) } }), "another issuer"],
  ["metadata without PKCE", () => ({ ...published(), documents: { [SERVER]: { ...serverMetadata(BASE), code_challenge_methods_supported: ["plain"] } }, challenge: null }), "S256"],
  ["no authorization endpoint", () => ({ ...published(), authorize: () => new Response(null, { status: 404 }) }), "authorization endpoint returned 404"],
  ["a page instead of a token error", () => ({ ...published(), token: () => new Response("<html>", { status: 400 }) }), "token endpoint returned 400"],
  ["a token for an empty request", () => ({ ...published(), token: () => Response.json({ access_token: "x" }) }), "token endpoint returned 200"],
  ["other endpoints than in the descriptor", () => ({ ...published(), documents: { ...published().documents, [SERVER]: { ...serverMetadata(BASE), token_endpoint: `${BASE}/oauth/token` } }, token: endpoints.token }), "token_endpoint is"],
];

for (const [what, served, error] of broken) {
  Deno.test(`point 7 fails for ${what}`, async () => {
    const { errors } = await check(served());
    assertStringIncludes(errors.join("\n"), error);
  });
}
