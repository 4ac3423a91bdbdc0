/** What a visitor chose; null where the system's preference holds. */
export type Theme = "dark" | "light" | null;

/** Reads the `theme` cookie, which the toggle writes. */
export function themeOf(req: Request): Theme {
  const cookies = req.headers.get("cookie") ?? "";
  return (/(?:^|;\s*)theme=(dark|light)(?:;|$)/.exec(cookies)?.[1] as Theme | undefined) ?? null;
}
