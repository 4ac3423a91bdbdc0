import { isFormPost } from "./body.ts";
import { readHeader } from "./header.ts";

/**
 * Returns whether a path is called by programs: errors there are JSON, and responses carry no page
 * policy. A form posted to `/api/` without scripts comes from a person and gets a page.
 */
export function isForPrograms(req: Request, pathname: string): boolean {
  if (pathname.startsWith("/api/")) return !isFormPost(req);
  return pathname === "/mcp" || pathname.startsWith("/.well-known/");
}

/** Returns whether a request accepts JSON and not HTML. */
export function wantsJson(req: Request): boolean {
  const accept = readHeader(req, "accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
