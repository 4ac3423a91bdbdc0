import { assert, assertEquals } from "@std/assert";
import { productionEnv } from "../lib/app/testing/production.ts";
import { generatePrivateJwk } from "../packages/proof/mod.ts";
import { SURFACE_NAMES } from "../lib/platform/surfaces/mod.ts";
import { createSite } from "./site.ts";

const site = await createSite({ MCP_RATE_LIMIT: "0" });

/** The status of GET on a served path, if it is not 200. */
const STATUS: Record<string, number> = {
  "/mcp": 405,
  "/token": 405,
  "/revoke": 405,
  "/register": 405,
  "/authorize": 400,
  // Served with MCP_OAUTH=challenge
  "/.well-known/oauth-authorization-server/oauth": 404,
  "/oauth/protected-resource": 404,
  "/favicon.ico": 302,
  "/theme": 405,
  "/account": 302,
  "/account/saved": 405,
  "/account/export": 302,
  "/console": 302,
  "/console/report": 302,
  "/console/finance": 302,
  "/console/finance/flow": 302,
  "/console/finance/limits": 302,
  "/console/surfaces": 302,
  "/console/infra": 302,
  "/console/search": 302,
  "/console/alerts": 302,
  "/console/alerts/count": 302,
  "/console/inbox": 302,
  "/console/records": 302,
  "/console/issuers": 302,
  "/console/payments": 302,
  "/console/team": 302,
  "/console/team/join": 400,
  "/console/audit": 302,
  "/console/mail": 302,
  "/console/users": 302,
  "/console/team/passkeys": 302,
  "/api/bank/summary": 401,
  "/api/bank/accounts": 401,
  "/api/bank/refresh": 405,
  "/api/bank/transactions": 401,
  "/api/infra/map": 401,
  "/api/payments/webhook": 405,
  "/api/documents": 401,
  "/api/documents/issuer": 401,
  "/api/documents/batches": 401,
  "/api/documents/webhooks": 401,
  "/api/push/send": 405,
  "/api/push/register": 405,
  "/api/push/subscribe": 405,
  "/auth/verify": 302,
  "/api/auth/request": 405,
  "/api/auth/verify": 302,
  "/api/auth/logout": 405,
  "/api/auth/passkey/sign-in": 405,
  "/api/auth/passkey/confirm": 405,
  "/api/auth/passkey/register": 405,
  "/api/ir/register": 405,
  "/components/contact-form.js": 302,
  "/accept": 400,
  "/accept/:document": 404,
  "/accept/:document/file": 303,
  "/keys/revoke": 400,
  "/keys/stop": 400,
  "/api/keys/revoke": 405,
  "/api/mail/events": 405,
  "/api/documents/check": 405,
  "/api/documents/batches/check": 405,
  "/confirm": 400,
  "/d/request": 400,
  "/k/verified": 405,
  "/check/verified": 405,
  "/add-checkpoint": 405,
  "/log/checkpoint": 404,
  "/log/previous": 404,
};

/** Routes whose handlers do not exist yet. */
const PENDING = [
  "/api/auth/register-passkey",
  "/api/auth/verify-passkey",
  "/api/auth/otp/send",
  "/api/auth/otp/verify",
  "/api/codes/status",
  "/api/codes/voice",
  "/.well-known/mcp-registry-auth",
  "/.well-known/webauthn",
  "/.well-known/apple-app-site-association",
  "/.well-known/assetlinks.json",
];

/** A path that matches each pattern. */
const EXAMPLES: Record<string, string> = {
  "/dev/*": "/dev/nothing",
  "/my-record/*": "/my-record/nothing",
  "/standard/:section": "/standard/nothing",
  "/docs/:guide": "/docs/nothing",
  "/docs/:guide/:file": "/docs/app/nothing",
  "/docs/operations/:id": "/docs/operations/nothing",
  "/qualifications/:code": "/qualifications/nothing",
  "/console/finance/:id": "/console/finance/nothing",
  "/console/payments/:id": "/console/payments/nothing",
  "/console/issuers/:id": "/console/issuers/nothing",
  "/console/issuers/:id/settings": "/console/issuers/nothing/settings",
  "/console/issuers/:id/pictures/:kind": "/console/issuers/nothing/pictures/logo",
  "/console/issuers/:id/documents/:document": "/console/issuers/nothing/documents/nothing",
  "/console/issuers/:id/documents/:document/file":
    "/console/issuers/nothing/documents/nothing/file",
  "/console/issuers/:id/keys": "/console/issuers/nothing/keys",
  "/console/issuers/:id/batches": "/console/issuers/nothing/batches",
  "/console/issuers/:id/batches/new": "/console/issuers/nothing/batches/new",
  "/console/issuers/:id/batches/:batch": "/console/issuers/nothing/batches/nothing",
  "/console/issuers/:id/batches/:batch/results": "/console/issuers/nothing/batches/nothing/results",
  "/console/issuers/:id/batches/:batch/rows/:row":
    "/console/issuers/nothing/batches/nothing/rows/0",
  "/d/:id/request": "/d/nothing/request",
  "/console/users/:id": "/console/users/nothing",
  "/console/inbox/:hash": "/console/inbox/nothing",
  "/console/inbox/:hash/reply": "/console/inbox/nothing/reply",
  "/console/team/:person": "/console/team/nothing",
  "/console/records/:hash": "/console/records/nothing",
  "/console/records/:hash/documents": "/console/records/nothing/documents",
  "/console/records/:hash/documents/:id": "/console/records/nothing/documents/nothing",
  "/console/records/:hash/documents/:id/view": "/console/records/nothing/documents/nothing/view",
  "/console/records/:hash/documents/:id/file": "/console/records/nothing/documents/nothing/file",
  "/console/records/:hash/documents/:id/cover": "/console/records/nothing/documents/nothing/cover",
  "/console/records/:hash/documents/:id/printed":
    "/console/records/nothing/documents/nothing/printed",
  "/d/:id": "/d/nothing",
  "/d/:id/:page": "/d/nothing/1",
  "/pdfjs/:version/:file": "/pdfjs/nothing/nothing",
  ...Object.fromEntries(
    ["", "/deliveries", "/deliveries/x/replay", "/pause", "/replay", "/resume", "/rotate", "/test"]
      .map((end) => [
        `/api/documents/webhooks/:id${end.replace("/x/", "/:delivery/")}`,
        `/api/documents/webhooks/nothing${end}`,
      ]),
  ),
  "/api/documents/batches/:id": "/api/documents/batches/nothing",
  "/api/documents/batches/:id/send": "/api/documents/batches/nothing/send",
  "/api/documents/batches/:id/cancel": "/api/documents/batches/nothing/cancel",
  "/api/documents/batches/:id/results": "/api/documents/batches/nothing/results",
  "/api/documents/:id": "/api/documents/nothing",
  "/api/documents/:id/file": "/api/documents/nothing/file",
  "/api/documents/:id/versions": "/api/documents/nothing/versions",
  "/api/documents/:id/withdraw": "/api/documents/nothing/withdraw",
  "/api/documents/:id/resend": "/api/documents/nothing/resend",
  "/api/documents/:id/simulate": "/api/documents/nothing/simulate",
  "/api/chain/:hash": "/api/chain/nothing",
  "/api/chain/:hash/log": "/api/chain/nothing/log",
  "/log/tile/*": "/log/tile/0/000",
  "/log/keys/:n": "/log/keys/1",
  "/monitor/:log/checkpoint": "/monitor/nothing/checkpoint",
  "/monitor/:log/refused": "/monitor/nothing/refused",
  "/components/contact-form/:version": "/components/contact-form/nothing",
  "/verifier/:version/:file": "/verifier/nothing/nothing",
};

const { all } = site.services.surfaces;
const paths = site.services.surfaces.get("workbench")!.routes.map(({ path }) => path);

for (const { name, home, holders, routes } of all) {
  for (const path of paths) {
    const open = routes.some((route) => route.path === path && route.off === undefined);
    Deno.test(`${name} ${open ? "serves" : "returns 404 for"} ${path}`, async () => {
      const response = await site.request(name, EXAMPLES[path] ?? path, { redirect: "manual" });
      await response.body?.cancel();
      if (!open) return assertEquals(response.status, 404);
      if (path in EXAMPLES || PENDING.includes(path)) return; // the path names something that does not exist
      const redirects = path === "/" && home.startsWith("/") || path === "/my-record" && !holders;
      const expected = redirects ? 302 : STATUS[path] ?? 200;
      assertEquals(response.status, expected, "Correct the route, or `STATUS` in this test.");
      if (path === "/" && expected === 302) {
        assertEquals(response.headers.get("location"), home);
      }
    });
  }
}

Deno.test("every surface in the table is served, and only the workbench has its own routes", () => {
  assertEquals(all.map(({ name }) => name), SURFACE_NAMES);
  const others = all.filter(({ servesAll }) => !servesAll);
  const elsewhere = new Set(others.flatMap(({ routes }) => routes.map(({ path }) => path)));
  assertEquals(paths.filter((path) => !elsewhere.has(path)), [
    "/site",
    "/marketing",
    "/dev/*",
  ]);
});

Deno.test("routes that only the commercial console has are off on the foundation's console", () => {
  const { routes } = site.services.surfaces.get("foundation-console")!;
  // Spec 4.1
  assertEquals(routes.filter(({ off }) => off !== undefined).map(({ path }) => path), [
    "/console/finance/flow",
    "/console/finance/:id",
    "/console/issuers/:id/keys",
    "/console/issuers/:id/batches",
    "/console/issuers/:id/batches/new",
    "/console/issuers/:id/batches/:batch",
    "/console/issuers/:id/batches/:batch/results",
    "/console/issuers/:id/batches/:batch/rows/:row",
    "/console/users",
    "/console/users/:id",
    "/api/bank/transactions",
  ]);
});

Deno.test("an unknown path returns 404 on every surface, as JSON below /.well-known/", async () => {
  for (const { name } of site.services.surfaces.all) {
    const page = await site.request(name, "/nowhere", { headers: { accept: "text/html" } });
    assertEquals(page.status, 404);
    assert(page.headers.get("content-type")!.startsWith("text/html"));
    await page.body?.cancel();
    for (const path of ["/.well-known/nothing", "/.well-known/openid-configuration"]) {
      const json = await site.request(name, path, { headers: { accept: "text/html" } });
      assertEquals(json.status, 404);
      assertEquals((await json.json()).error, "not_found");
    }
  }
});

Deno.test("GET with a trailing slash redirects to the path without it, and POST returns 404", async () => {
  for (const [surface, path] of [["trust", "/terms"], ["foundation", "/standard/heads"]] as const) {
    const response = await site.request(surface, path + "/?a=1");
    assertEquals([response.status, response.headers.get("location")], [302, path + "?a=1"]);
  }
  const post = await site.request("foundation-mcp", "/mcp/", { method: "POST", body: "{}" });
  await post.body?.cancel();
  assertEquals(post.status, 404);
});

Deno.test("static files are served on every surface", async () => {
  for (const { name } of site.services.surfaces.all) {
    const response = await site.request(name, "/styles/tokens.css");
    await response.body?.cancel();
    assertEquals(response.status, 200);
  }
});

Deno.test("production serves neither the workbench nor its pages", async () => {
  const hosts = { trust: ["trust.example"], site: ["qualpack.example"] };
  await using production = await createSite(productionEnv(hosts, {
    CHAIN_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
    LOG_SIGNING_KEY: JSON.stringify(await generatePrivateJwk()),
  }));
  assertEquals(production.services.surfaces.all.map(({ name }) => name), ["site", "trust"]);
  const terms = await production.request("trust", "/terms");
  assertEquals(terms.status, 200);
  await terms.body?.cancel();
  for (const path of ["/site", "/dev/outbox", "/contact"]) {
    const response = await production.request("trust", path);
    await response.body?.cancel();
    assertEquals(response.status, 404);
  }
  const workbench = await production.handler(
    new Request("http://localhost:8000/", { headers: { host: "localhost:8000" } }),
  );
  assertEquals(workbench.status, 421);
});
