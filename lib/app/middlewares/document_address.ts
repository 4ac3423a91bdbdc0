import type { Middleware } from "fresh";
import type { State } from "../state.ts";

/**
 * Redirects `/D/…` to `/d/…`. The addresses in QR codes are in upper case, because such a code is
 * smaller.
 */
export const documentAddress: Middleware<State> = (ctx) => {
  const { surface, pathname } = ctx.state;
  const path = pathname.replace(/^\/D\//, "/d/");
  return path === pathname || !surface.serves(path)
    ? ctx.next()
    : ctx.redirect(path + ctx.url.search, 301);
};
