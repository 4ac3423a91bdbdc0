import { safeNext } from "../auth/mod.ts";
import type { Surface } from "../surfaces/mod.ts";

/**
 * Where somebody may go on to: the consoles have pages worth returning to, the site has its account
 * page alone (spec 4.3).
 */
export const nextOn = (surface: Surface, next: unknown): string | null =>
  surface.signIn?.returns ? safeNext(next) : null;

/** Where a sign-in leads. */
export const landingOn = (surface: Surface, next: unknown): string =>
  nextOn(surface, next) ?? surface.signIn?.landing ?? "/";

/** The sign-in page, which leads back to an address of this surface. */
export function signInPath({ pathname, search }: URL): string {
  return `/auth?next=${encodeURIComponent(pathname + search).replaceAll("%2F", "/")}`;
}
