const PAGE = "A page for people.";
const FORM = "A form for people.";
const OWN = "Only for the script of our own page, with a nonce from it.";
const OAUTH = "The authorization server of agents, which its metadata describes.";
const MCP = "A document of the Model Context Protocol's registries, in their formats.";
const STANDARD = "A document of the standard, which the standard's own pages describe.";
const PROVIDER = "A callback of the provider of codes, with its signature.";

/** The routes of public surfaces that programs can call but the document leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "/mcp": "The Model Context Protocol describes its own tools.",
  "/.well-known/ai-catalog.json": MCP,
  "/.well-known/mcp-registry-auth": MCP,
  "/mcp/server-card": MCP,
  "/mcp/server.json": MCP,
  "/.well-known/oauth-protected-resource": OAUTH,
  "/.well-known/oauth-protected-resource/mcp": OAUTH,
  "/.well-known/oauth-protected-resource/api/push/register": OAUTH,
  "/.well-known/oauth-authorization-server": OAUTH,
  "/.well-known/oauth-authorization-server/oauth": OAUTH,
  "/oauth/protected-resource": OAUTH,
  "/register": OAUTH,
  "/token": OAUTH,
  "/revoke": OAUTH,
  "/api/auth/request": "For our own sign-in pages.",
  "/api/auth/logout": "For our own sign-in pages.",
  "/api/codes/status": PROVIDER,
  "/api/codes/voice": PROVIDER,
  "/components/contact-form/:version": "A script for pages.",
  "/pdfjs/:version/:file": "A script for pages.",
  "/account/saved": "For the forms and the script of our own pages.",
  "/qualifications/:code": PAGE,
  "/standard/:section": PAGE,
  "/llms.txt": STANDARD,
  "/standard.md": STANDARD,
  "/standard.pdf": STANDARD,
  "/standard/vectors.json": STANDARD,
  "/confirm": FORM,
  "/d/:id": PAGE,
  "/d/:id/:page": PAGE,
  "/d/:id/request": FORM,
  "/d/request": FORM,
  "/d/grant": FORM,
  "/check/verified": OWN,
  "/k/verified": OWN,
  "/my-record/*": "Pages and forms for holders, except the paths that are documented.",
};
