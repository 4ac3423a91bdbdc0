import { COOKIE_LIMIT, readHeader } from "./header.ts";

/**
 * Returns every value of a cookie in a request. A browser may send several cookies with one name, one
 * for each path or domain (RFC 6265, 5.3). `getCookies` of `@std/http` keeps only the last, and throws
 * on a malformed header.
 */
export function cookieValues(request: Request, name: string): string[] {
  const cookies = readHeader(request, "cookie", COOKIE_LIMIT)?.split(";") ?? [];
  return cookies.map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}

/** Adds cookies to a response, each as its complete `Set-Cookie` header. */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}
