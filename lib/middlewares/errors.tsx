import type { Context, Middleware } from "fresh";
import { ErrorPage } from "../../components/ErrorPage.tsx";
import { isForPrograms, wantsJson } from "../http/audience.ts";
import { type Problem, problemOf, problemResponse } from "../http/errors.ts";
import type { State } from "../state.ts";

/**
 * Turns every thrown error into a response: JSON for programs, a page for people. It runs inside
 * the header middlewares, so that error responses carry every header.
 */
export function errors(): Middleware<State> {
  return async (ctx) => {
    try {
      return await ctx.next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status === 500) {
        const { method } = ctx.req;
        const { name } = ctx.state.surface;
        const stack = error instanceof Error ? error.stack : String(error);
        ctx.state.services.log({
          level: "error",
          event: "internal",
          method,
          surface: name,
          route: ctx.route,
          stack,
        });
      }
      return isForPrograms(ctx.req, ctx.url.pathname) || wantsJson(ctx.req)
        ? problemResponse(problem)
        : await errorPage(ctx, error, problem);
    }
  };
}

async function errorPage(
  ctx: Context<State>,
  error: unknown,
  problem: Problem,
): Promise<Response> {
  ctx.error = error;
  ctx.state.scripts = false;
  ctx.state.bare = false;
  const { status } = problem;
  // The page may show who is signed in.
  const headers = { "cache-control": "no-store", ...problem.headers };
  return await ctx.render(<ErrorPage problem={problem} />, { status, headers });
}
