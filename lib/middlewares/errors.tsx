import type { Context, Middleware } from "fresh";
import { ErrorPage } from "../../components/ErrorPage.tsx";
import { isForPrograms } from "../http/audience.ts";
import { type Problem, problemOf, problemResponse } from "../http/errors.ts";
import type { State } from "../state.ts";

/**
 * Turns whatever is thrown further in into an answer: JSON for programs, a page for people. It
 * stands inside the header middlewares, so that errors carry every header too.
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
      return isForPrograms(ctx.url.pathname) || wantsJson(ctx.req)
        ? problemResponse(problem)
        : await errorPage(ctx, problem);
    }
  };
}

async function errorPage(ctx: Context<State>, problem: Problem): Promise<Response> {
  ctx.state.scripts = false;
  const { status, headers } = problem;
  return await ctx.render(<ErrorPage problem={problem} />, { status, headers });
}

function wantsJson(req: Request): boolean {
  const accept = req.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}
