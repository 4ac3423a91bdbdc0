import type { Context } from "fresh";
import { NotOpenPage } from "../../components/console/NotOpenPage.tsx";
import { signInPath } from "../sign_in/mod.ts";
import type { State } from "../state.ts";
import { type Layer, layerOf, type Operator, reaches } from "./layers.ts";

/**
 * Lets a person through to a page of a console, or says why not: who is not signed in goes to the
 * sign-in page and from there back; who is, and may not see the page, gets one that says so, with
 * the status 403 (spec 5.1).
 *
 * @param back the page to come back to, where that is not the one that was asked for
 *
 * @example
 * ```ts
 * const operator = await gate(ctx, "L1");
 * if (operator instanceof Response) return operator;
 * return page({ operator });
 * ```
 */
export async function gate(
  ctx: Context<State>,
  needed: Layer,
  back: URL = ctx.url,
): Promise<Operator | Response> {
  const { session, services } = ctx.state;
  if (session === null) {
    return ctx.redirect(signInPath(back), ctx.req.method === "POST" ? 303 : 302);
  }
  const { email } = session;
  const layer = layerOf(email, services.config.ops);
  if (layer !== null && reaches(layer, needed)) return { email, layer };
  ctx.state.bare = false;
  const refusal = <NotOpenPage state={ctx.state} email={email} layer={layer} needed={needed} />;
  return await ctx.render(refusal, { status: 403 });
}
