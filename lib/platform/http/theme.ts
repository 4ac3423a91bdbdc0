import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { COOKIE_LIMIT, readHeader } from "./header.ts";

/** A visitor's choice; null for the system's preference. */
type Theme = "dark" | "light" | null;

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

/** The state of the control that changes the theme. */
export interface ThemeChoice {
  theme: Theme;
  /**
   * True if the browser can return to the page. The response to a form cannot be opened again, and
   * browsers do not name pages with a token in their address.
   */
  returns: boolean;
}

/** Returns the theme of a request, and whether its page can be opened again. */
export function themeChoiceOf(req: Request): ThemeChoice {
  const { searchParams } = new URL(req.url);
  const returns = ["GET", "HEAD"].includes(req.method) && !searchParams.has("token");
  return { theme: themeOf(req), returns };
}
