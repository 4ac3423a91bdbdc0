import { isFormPost } from "./body.ts";
import { readHeader } from "./header.ts";

/**
 * Returns whether a request comes from a program: its errors are JSON, and its responses have no page
 * policy. A form posted to `/api/` without JavaScript comes from a person, who gets a page.
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
