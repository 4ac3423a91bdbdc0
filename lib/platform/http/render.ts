import type { Context } from "fresh";

/** Renders a page that loads no scripts. */
export function renderWithoutScripts<State extends { scripts: boolean }>(
  ctx: Context<State>,
  page: Parameters<Context<State>["render"]>[0],
  init?: ResponseInit,
): Response | Promise<Response> {
  ctx.state.scripts = false;
  return ctx.render(page, init);
}
