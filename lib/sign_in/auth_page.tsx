import type { Context } from "fresh";
import { AuthPage, type AuthView } from "../../components/sign_in/AuthPage.tsx";
import type { State } from "../state.ts";

/** Answers with the sign-in page. */
export async function authPage(
  ctx: Context<State>,
  view: AuthView,
  init?: { status: number; headers?: Record<string, string> },
): Promise<Response> {
  ctx.state.bare = true;
  const still = ctx.req.headers.get("save-data") === "on";
  const response = await ctx.render(<AuthPage state={ctx.state} view={view} still={still} />, init);
  response.headers.append("vary", "Save-Data");
  return response;
}
