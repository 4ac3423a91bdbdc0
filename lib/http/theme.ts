import { COOKIE_LIMIT, readHeader } from "./header.ts";

/** A visitor's choice; null for the system's preference. */
export type Theme = "dark" | "light" | null;

/** Returns the choice in the `theme` cookie, which the theme toggle sets. */
export function themeOf(req: Request): Theme {
  const cookies = readHeader(req, "cookie", COOKIE_LIMIT) ?? "";
  return (/(?:^|;\s*)theme=(dark|light)(?:;|$)/.exec(cookies)?.[1] as Theme | undefined) ?? null;
}
