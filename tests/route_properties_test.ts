import { assert, assertEquals } from "@std/assert";
import { propertiesOfOperations, readRoutes } from "../lib/app/routes.ts";
import type { RouteProperties } from "../lib/platform/http/route_properties.ts";
import { OPERATIONS } from "../lib/features/api/mod.ts";

/** Without `notInOpenApi`, which `tests/openapi_test.ts` checks. */
type Property = Exclude<keyof RouteProperties, "notInOpenApi">;

/** The routes with each property, except for those that issuers call. A pattern ends with * for all below it. */
const ROUTES: Record<Property, Record<string, readonly string[]>> = {
  audience: {
    programs: [
      "/.well-known/*",
      "/add-checkpoint",
      "/api/chain/:hash/log",
      "/api/codes/status",
      "/api/codes/voice",
      "/api/mail/events",
      "/api/payments/webhook",
      "/docs/:guide/:file",
      "/log/checkpoint",
      "/log/checkpoints",
      "/log/keys/:n",
      "/log/policy",
      "/log/previous",
      "/log/tile/:path*",
      "/mcp",
      "/mcp/server-card",
      "/mcp/server.json",
      "/monitor/*",
      "/oauth/protected-resource",
      "/register",
      "/revoke",
      "/token",
      "/api/keys/revoke",
    ],
    both: [
      "/api/auth/*",
      "/api/bank/*",
      "/api/chain/:hash",
      "/api/infra/map",
      "/api/ir/register",
      "/api/push/*",
      "/api/qualifications",
      "/verifier/:version/:file",
    ],
  },
  crossSite: {
    all: [
      "/add-checkpoint",
      "/api/codes/status",
      "/api/codes/voice",
      "/api/ir/register",
      "/api/keys/revoke",
      "/mcp",
      "/register",
      "/revoke",
      "/token",
    ],
    POST: ["/api/mail/events", "/api/payments/webhook"],
  },
  onlyReads: {
    true: [
      "/add-checkpoint",
      "/check",
      "/console/inbox",
      "/console/issuers/:id",
      "/console/mail",
      "/console/records",
      "/console/search",
      "/find",
      "/k",
      "/mcp",
      "/theme",
    ],
  },
  servesJson: {
    true: [
      "/check",
      "/k",
      "/my-record/log",
      "/my-record/sign-in",
      "/my-record/sign-out",
      "/verify",
    ],
  },
  minimalHeaders: { POST: ["/mcp"] },
  noAuthority: {
    stated: [
      "/accept",
      "/add-checkpoint",
      "/api/auth/logout",
      "/api/auth/passkey/sign-in",
      "/api/auth/request",
      "/api/auth/verify-passkey",
      "/api/codes/*",
      "/api/ir/register",
      "/api/keys/revoke",
      "/api/mail/events",
      "/api/payments/webhook",
      "/check",
      "/check/verified",
      "/confirm",
      "/console/team/join",
      "/d/:id/printed",
      "/d/:id/request",
      "/d/request",
      "/dev/payments",
      "/dev/phone",
      "/find",
      "/k",
      "/k/verified",
      "/keys/revoke",
      "/keys/stop",
      "/mcp",
      "/my-record/authorize/code",
      "/my-record/link",
      "/my-record/sign-in",
      "/my-record/undo",
      "/register",
      "/revoke",
      "/s",
      "/theme",
      "/token",
    ],
  },
  anonymous: {
    true: [
      "/api/keys/revoke",
      "/log/checkpoint",
      "/log/checkpoints",
      "/log/keys/:n",
      "/log/policy",
      "/log/previous",
      "/log/tile/:path*",
      "/runbook",
      "/verifier/:version/:file",
    ],
  },
};

const ROUTES_FOLDER = import.meta.resolve("../routes/");
const { properties, files } = await readRoutes(ROUTES_FOLDER);
const issuerRoutes = new Set(
  OPERATIONS.filter(({ keyScope }) => keyScope !== undefined).map(({ path }) => path),
);

const covers = (listed: string, pattern: string) =>
  listed === pattern || listed.endsWith("/*") && pattern.startsWith(listed.slice(0, -1));

/** Returns the properties that the lists give a route. */
function expectedOf(pattern: string): Partial<Record<Property, string>> {
  if (issuerRoutes.has(pattern)) {
    return { audience: "programs", crossSite: "all", anonymous: "true" };
  }
  return Object.fromEntries(
    Object.entries(ROUTES).flatMap(([property, values]) =>
      Object.entries(values)
        .filter(([, listed]) => listed.some((each) => covers(each, pattern)))
        .map(([value]) => [property, value])
    ),
  );
}

Deno.test("each route has the properties that are listed here, and no others", () => {
  const wrong: Record<string, object> = {};
  for (const [pattern, { notInOpenApi: _, ...given }] of properties) {
    const found = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        name === "noAuthority" ? "stated" : String(value),
      ]),
    );
    const expected = expectedOf(pattern);
    const same = JSON.stringify(Object.entries(found).sort()) ===
      JSON.stringify(Object.entries(expected).sort());
    if (!same) wrong[pattern] = { found, expected };
  }
  assertEquals(wrong, {}, "Change the file of the route, or the lists of this test.");
});

Deno.test("the lists name only routes that exist", () => {
  const listed = Object.values(ROUTES).flatMap((values) => Object.values(values).flat());
  const patterns = [...properties.keys()];
  assertEquals(listed.filter((each) => !patterns.some((one) => covers(each, one))), []);
});

Deno.test("the route of each operation is served by the operation's description", async () => {
  for (const { id, path } of OPERATIONS) {
    const source = await Deno.readTextFile(new URL(files.get(path)!, ROUTES_FOLDER));
    const serves = new RegExp(String.raw`\b(serveOperation|postWithKey)\(\s*${id},`);
    assert(serves.test(source), `${files.get(path)} does not serve ${id}`);
  }
});

Deno.test("the file of a route has no property that its operations have", async () => {
  for (const path of new Set(OPERATIONS.map(({ path }) => path))) {
    const file: { properties?: RouteProperties } = await import(ROUTES_FOLDER + files.get(path));
    const twice = Object.keys(propertiesOfOperations(path))
      .filter((name) => name in (file.properties ?? {}));
    assertEquals(twice, [], files.get(path));
  }
});
