import { isFormPost } from "./body.ts";

/**
 * True for paths that programs call: they are answered with JSON, and their pages have no policy.
 * What a page's form posts to `/api/` is a person's, where no script was there to call it.
 */
export function isForPrograms(req: Request, pathname: string): boolean {
  if (pathname.startsWith("/api/")) return !isFormPost(req);
  return pathname === "/mcp" || pathname.startsWith("/.well-known/");
}

/** True for a request that asks for JSON and for no page. */
export function wantsJson(req: Request): boolean {
  const accept = req.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
