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

/** `Sec-Purpose` is standard (Fetch); the others are older, non-standard headers. */
const PREFETCH_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Returns whether a browser or a mail scanner loads a page in advance, before a person opens it.
 */
export const isPrefetch = (req: Request): boolean =>
  PREFETCH_HEADERS.some((name) => /prefetch|preview/i.test(readHeader(req, name) ?? ""));
