import { z } from "zod";
import { safeNext } from "../lib/features/auth/mod.ts";
import { checkInput, readInput } from "../lib/platform/http/body.ts";
import { withCookies } from "../lib/platform/http/cookies.ts";
import { themeCookie } from "../lib/platform/http/theme.ts";
import type { RouteProperties } from "../lib/app/routes.ts";
import { route } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  onlyReads: true,
  notInOpenApi: "A form for people without scripts.",
};

const schema = z.object({
  theme: z.enum(["system", "dark", "light"]),
  back: z.string(),
});

/** Stores the choice of a theme in a cookie, for pages and browsers without scripts. */
export const handler = route({
  async POST(ctx) {
    const { theme, back } = checkInput(schema, await readInput(ctx.req));
    const cookie = themeCookie(theme === "system" ? null : theme);
    return withCookies(ctx.redirect(safeNext(back) ?? "/", 303), [cookie]);
  },
});
