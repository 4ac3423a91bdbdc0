import { z } from "zod";
import { safeNext } from "../lib/features/auth/mod.ts";
import { checkInput, readInput } from "../lib/platform/http/body.ts";
import { withCookies } from "../lib/platform/http/cookies.ts";
import { readHeader } from "../lib/platform/http/header.ts";
import { themeCookie } from "../lib/platform/http/theme.ts";
import type { RouteProperties } from "../lib/platform/http/route_properties.ts";
import { route } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  onlyReads: true,
  notInOpenApi: "A form for people without scripts.",
  noAuthority: "It stores nothing but a cookie.",
};

const schema = z.object({ theme: z.enum(["system", "dark", "light"]) });

/**
 * Returns the path of the page that sent a form. Browsers name it in `Referer`, so that pages need
 * not repeat their own address, which may contain what somebody else wrote.
 */
function pathOfSender(req: Request): string | null {
  const sender = URL.parse(readHeader(req, "referer") ?? "");
  return sender?.host === new URL(req.url).host ? safeNext(sender.pathname + sender.search) : null;
}

/** Stores the choice of a theme in a cookie, for pages and browsers without scripts. */
export const handler = route({
  async POST(ctx) {
    const { theme } = checkInput(schema, await readInput(ctx.req));
    const cookie = themeCookie(theme === "system" ? null : theme);
    return withCookies(ctx.redirect(pathOfSender(ctx.req) ?? "/", 303), [cookie]);
  },
});
