import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { COOKIE_LIMIT, readHeader } from "./header.ts";

/** A visitor's choice; null for the system's preference. */
export type Theme = "dark" | "light" | null;

/** How long a choice is stored: one year. */
export const THEME_LIFETIME_S = 365 * DAY_MS / SECOND_MS;

/** Returns the choice in the `theme` cookie, which the Colours menu sets. */
export function themeOf(req: Request): Theme {
  const cookies = readHeader(req, "cookie", COOKIE_LIMIT) ?? "";
  return (/(?:^|;\s*)theme=(dark|light)(?:;|$)/.exec(cookies)?.[1] as Theme | undefined) ?? null;
}

/** Returns whether a request has a cookie other than the theme's, which may be a session. */
export const hasOtherCookies = (req: Request): boolean =>
  req.headers.has("cookie") &&
  !/^(theme=\w*)?$/.test(readHeader(req, "cookie", COOKIE_LIMIT)?.trim() ?? "-");

/** The `Set-Cookie` value of a choice. Scripts set the same cookie. */
export const themeCookie = (theme: Theme): string =>
  `theme=${theme ?? ""}; Max-Age=${theme === null ? 0 : THEME_LIFETIME_S}; Path=/; SameSite=Lax`;

/** What the control that changes the theme needs. */
export interface ThemeChoice {
  theme: Theme;
  /**
   * The page to return to. Null for the response to a form, which cannot be opened again, and for a
   * mailed link, because the page must not repeat its token.
   */
  back: string | null;
}

/** Returns the theme of a request, and the page that it asks for. */
export function themeChoiceOf(req: Request): ThemeChoice {
  const { pathname, search, searchParams } = new URL(req.url);
  const returns = ["GET", "HEAD"].includes(req.method) && !searchParams.has("token");
  return { theme: themeOf(req), back: returns ? pathname + search : null };
}
