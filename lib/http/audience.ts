/** True for paths that programs call: they are answered with JSON, and their pages have no policy. */
export function isForPrograms(pathname: string): boolean {
  return pathname === "/mcp" || pathname.startsWith("/api/") ||
    pathname.startsWith("/.well-known/");
}
