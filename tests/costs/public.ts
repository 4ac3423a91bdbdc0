/** Requests for public pages and files, whose costs are counted. */
import { VERSION } from "../../packages/proof/release/mod.ts";
import type { SurfaceName } from "../../lib/platform/surfaces/mod.ts";
import type { Site } from "../site.ts";
import { type CostRequests, files, notModified, pages, PROGRAM, same } from "./requests.ts";
import type { PeopleSite } from "./sites.ts";

const GZIP = { "accept-encoding": "gzip" };

/** Pages that anybody can open, besides those of the trust surface. */
export function publicPages({ site }: PeopleSite): CostRequests {
  return {
    ...pages("site", {
      ...same("/", "/auth", "/compare", "/qualifications/CHC50121"),
      "/?q=…": "/?q=care&level=3",
      "/compare?a=…&b=…": "/compare?a=TAE40110&b=TAE40122",
    }),
    ...pages("commercial", same("/", "/security", "/status", "/connect", "/contact")),
    ...pages("foundation", {
      ...same("/", "/governance", "/implementations", "/verifier", "/standard"),
      "/standard/…": "/standard/event-chain",
      ...same("/standard/changelog", "/standard/complete", "/standard/kit"),
    }),
    ...pages("investor", same("/")),
    ...pages("commercial-console", same("/runbook")),
    ...pages("foundation-mcp", same("/")),
    ...pages("api", {
      ...same("/docs", "/docs/errors", "/docs/changelog"),
      "/docs/…": "/docs/app",
      "/docs/operations/…": "/docs/operations/readIssuer",
    }),
    "site /, gzip": { on: "site", path: "/", headers: GZIP },
    "site /, 304": notModified(site, { on: "site", path: "/" }),
    "site /nowhere": { on: "site", path: "/nowhere", status: 404 },
  };
}

/** Pages of the trust surface that anybody can open. Many have a tool, such as the check of a file. */
export function trustPages({ owner: { hash }, document, filled }: PeopleSite): CostRequests {
  return {
    ...pages("trust", {
      ...same("/", "/verify", "/check", "/d", "/k", "/s", "/levels", "/privacy", "/terms"),
      ...same("/privacy/stored"),
      ...same("/my-record", "/my-record/code", "/log", "/log/about", "/find"),
      "/log?find=…": `/log?find=${hash}`,
      "/verify?hash=…": `/verify?hash=${hash}`,
      "/d/…": `/d/${document}`,
      "/d/…/request": `/d/${document}/request`,
    }),
    ...pages("trust", { "/d/…": `/d/${document}`, "/d/…/file": `/d/${document}/file` }, {
      cookie: filled.reader,
      as: ", a reader with access",
    }),
    "trust /verify, gzip": { on: "trust", path: "/verify", headers: GZIP },
  };
}

/** A file of each kind that has an entity tag. */
const KNOWN: Partial<Record<SurfaceName, string[]>> = {
  foundation: ["/standard.md"],
  "foundation-mcp": ["/.well-known/oauth-authorization-server"],
  api: ["/openapi.json", "/docs/issuing/gatehouse.ts"],
  site: ["/styles/pages/console.css"],
};

/** The files that programs, agents and browsers read besides pages. */
export const publicFiles = async ({ site }: PeopleSite): Promise<CostRequests> => ({
  ...Object.fromEntries(
    Object.entries(KNOWN).flatMap(([on, paths]) =>
      paths.map((path) => [
        `${on} ${path}, 304`,
        notModified(site, { on: on as SurfaceName, path, headers: PROGRAM }),
      ])
    ),
  ),
  ...files("foundation", {
    "/verifier/…/verifier.js": `/verifier/${VERSION}/verifier.js`,
    ...same("/robots.txt", "/.well-known/security.txt", "/sitemap.xml", "/llms.txt"),
    ...same("/standard.md", "/standard.pdf"),
    ...same("/standard/vectors.json", "/verifier/versions.json", "/.well-known/mcp"),
    ...same("/.well-known/mcp/server-card.json", "/.well-known/ai-catalog.json"),
  }),
  ...files("foundation-mcp", {
    ...same("/mcp/server-card", "/mcp/server.json", "/.well-known/oauth-protected-resource"),
    ...same("/.well-known/oauth-protected-resource/mcp"),
    ...same("/.well-known/oauth-authorization-server"),
  }),
  ...files("trust", {
    ...same("/.well-known/oauth-protected-resource/api/push/register", "/.well-known/webauthn"),
    ...same("/.well-known/chain-keys.json", "/.well-known/apple-app-site-association"),
    ...same("/.well-known/assetlinks.json", "/favicon.ico"),
    ...same("/my-record/manifest.webmanifest"),
  }),
  ...files("api", {
    ...same("/openapi.json", "/components/contact-form.js", "/docs/issuing/gatehouse.ts"),
    "/api/qualifications?q=…": "/api/qualifications?q=care",
    "/components/contact-form/…": await redirectOf(site, "api", "/components/contact-form.js"),
  }),
  ...files("site", same("/styles/pages/console.css")),
});

async function redirectOf(site: Site, on: SurfaceName, path: string): Promise<string> {
  const response = await site.request(on, path);
  await response.body?.cancel();
  return response.headers.get("location")!;
}
