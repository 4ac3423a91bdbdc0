import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { readRecord, recordRows } from "../lib/features/records/mod.ts";
import { HOUR_MS, SECOND_MS } from "../lib/base/time.ts";
import { documentAt, openDocumentServer } from "./document_server.ts";
import { approveWithPages, SdkApp, SDKS } from "./oauth_app.ts";
import { REDIRECT } from "./oauth_site.ts";
import { type RecordFixture, recordFixture, type TestHolder } from "./record_site.ts";
import { serveOnFreePort } from "./served_site.ts";

const grant_types = ["authorization_code", "refresh_token"];
const documents = openDocumentServer((path) => Response.json(documentAt(path, { grant_types })));
const MODES = ["published", "challenge"] as const;
type Mode = typeof MODES[number];
const sites = {} as Record<Mode, RecordFixture & { holder3: TestHolder }>;

Deno.test.beforeAll(async () => {
  for (const MCP_OAUTH of MODES) {
    const fixture = await serveOnFreePort((env) =>
      recordFixture({ ...env, MCP_OAUTH, MCP_RATE_LIMIT: "0" }, { network: documents.network })
    );
    const holder3 = await fixture.holder();
    const { row } = (await readRecord(fixture.site.services.kv, holder3.hash))!;
    await fixture.site.services.kv.set(recordRows.key(holder3.hash), { ...row, level: 3 });
    sites[MCP_OAUTH] = { ...fixture, holder3 };
  }
});
Deno.test.afterAll(async () => {
  for (const site of Object.values(sites)) await site[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
});

/** Disconnects all agents on the holder's page. */
async function disconnect({ fetch, holder3: { cookie } }: typeof sites[Mode]): Promise<void> {
  const response = await fetch("/my-record/agents", { cookie, form: { act: "disconnect_all" } });
  assertEquals(response.status, 303);
}

const local = createLocalFetch();

/** A `fetch` for apps, with the paths that it requested. */
function recording(intercept: (path: string) => Response | null = () => null) {
  const paths: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    paths.push(pathname);
    return intercept(pathname) ?? await local(input, init);
  };
  return { paths, fetch };
}

interface Case {
  title: string;
  mode: Mode;
  clientMetadataUrl?: string;
  /** Hides the metadata of the resource, as servers of MCP 2025-03-26 have none. */
  hidden?: boolean;
}

const CASES: Case[] = [
  { title: "with published metadata", mode: "published" },
  { title: "through the challenge", mode: "challenge" },
  { title: "without metadata of the resource", mode: "published", hidden: true },
  { title: "with its document", mode: "published", clientMetadataUrl: "https://localhost/client" },
];

for (const [sdk, connect] of Object.entries(SDKS)) {
  for (const { title, mode, clientMetadataUrl, hidden } of CASES) {
    Deno.test(`${sdk} connects a record at level 3 ${title}, until it is disconnected`, async () => {
      const site = sites[mode];
      const { paths, fetch } = recording((path) =>
        hidden && path.startsWith("/.well-known/oauth-protected-resource")
          ? new Response(null, { status: 404 })
          : null
      );
      const app = new SdkApp(undefined, clientMetadataUrl);
      const url = new URL(site.site.services.surfaces.url("foundation-mcp", "/mcp")!);
      const agent = await connect(url, app, fetch);
      assertEquals(app.opened, null, "the connection itself needs no sign-in");

      await assertRejects(() => agent.verifyMine(), Error, "Unauthorized");
      const authorize = app.opened! as URL;
      assertEquals(authorize.searchParams.get("resource"), hidden ? null : url.href);
      const answer = await approveWithPages(site, authorize, site.holder3.cookie);
      assertEquals(answer.get("state"), authorize.searchParams.get("state"));
      assertEquals(answer.get("iss"), mode === "published" ? url.origin : `${url.origin}/oauth`);
      await agent.finish(answer);
      assertEquals(app.saved!.scope, "mcp record offline_access");
      const { ok, record_hash, level } = await agent.verifyMine();
      assertEquals([ok, record_hash, level], [true, site.holder3.hash, 3]);
      assertEquals(paths.includes("/register"), clientMetadataUrl === undefined);
      assertEquals(app.client!.client_id === clientMetadataUrl, clientMetadataUrl !== undefined);

      await disconnect(site);
      app.opened = null;
      await assertRejects(() => agent.verifyMine(), Error);
      assert(app.opened !== null, "401 leads to the sign-in page again");
      await agent.close();
    });
  }
}

Deno.test("SDK v2 gets the same successor if the response to a refresh was lost, for 60 seconds", async () => {
  const site = sites.published;
  const lost: string[] = [];
  let losing = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await local(input, init);
    if (!losing || !String(input).endsWith("/token")) return response;
    lost.push((await response.json()).refresh_token);
    throw new TypeError("The connection was closed.");
  };
  const app = new SdkApp();
  const url = new URL(site.site.services.surfaces.url("foundation-mcp", "/mcp")!);
  const agent = await SDKS["SDK v2"](url, app, fetch);
  await assertRejects(() => agent.verifyMine(), Error);
  await agent.finish(await approveWithPages(site, app.opened!, site.holder3.cookie));
  assertEquals(app.saved!.scope, "mcp record offline_access");
  const first = app.saved!.refresh_token!;

  site.clock.now += HOUR_MS;
  losing = true;
  await assertRejects(() => agent.verifyMine(), Error);
  assertEquals(app.saved!.refresh_token, first);
  losing = false;
  site.clock.now += 59 * SECOND_MS;
  assert((await agent.verifyMine()).ok);
  assert(lost.length > 0);
  for (const successor of lost) assertEquals(app.saved!.refresh_token, successor);
  await agent.close();
});

for (const mode of MODES) {
  Deno.test(`oauth4webapi connects, refreshes and revokes in the mode ${mode}`, async () => {
    const site = sites[mode];
    const options = { [oauth.customFetch]: local, [oauth.allowInsecureRequests]: true } as const;
    const resource = new URL(site.site.services.surfaces.url("foundation-mcp", "/mcp")!);
    const call = (token?: string) =>
      local(resource, {
        method: "POST",
        headers: {
          "accept": "application/json, text/event-stream",
          "content-type": "application/json",
          ...token === undefined ? {} : { authorization: `Bearer ${token}` },
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "verify_chain", arguments: { record: "mine" } },
        }),
      });
    const statusOf = async (token?: string) => {
      const response = await call(token);
      await response.body?.cancel();
      return response.status;
    };

    const challenged = await call();
    await challenged.body?.cancel();
    const metadataUrl = /resource_metadata="([^"]+)"/
      .exec(challenged.headers.get("www-authenticate")!)![1];
    const protectedBy = await oauth.processResourceDiscoveryResponse(
      resource,
      await local(metadataUrl),
    );
    const issuer = new URL(protectedBy.authorization_servers![0]);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: "oauth4webapi", redirect_uris: [REDIRECT] },
        options,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const authorize = new URL(server.authorization_endpoint!);
    authorize.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      scope: "mcp record offline_access",
      resource: resource.href,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const answer = oauth.validateAuthResponse(
      server,
      client,
      await approveWithPages(site, authorize, site.holder3.cookie),
      state,
    );
    const code = { redirect: REDIRECT, verifier, resource: resource.href };
    const exchanged = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        answer,
        code.redirect,
        code.verifier,
        { additionalParameters: { resource: code.resource }, ...options },
      ),
    );
    assertEquals(await statusOf(exchanged.access_token), 200);

    const refresh = async () =>
      await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          oauth.None(),
          exchanged.refresh_token!,
          options,
        ),
      );
    const refreshed = await refresh();
    assertFalse(refreshed.refresh_token === exchanged.refresh_token);
    assertEquals((await refresh()).refresh_token, refreshed.refresh_token);
    const revoked = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      refreshed.refresh_token!,
      options,
    );
    await oauth.processRevocationResponse(revoked);
    assertEquals(await statusOf(refreshed.access_token), 401);
    await assertRejects(refresh, oauth.ResponseBodyError);
  });
}
