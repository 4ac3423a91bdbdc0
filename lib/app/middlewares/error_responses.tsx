/** The middleware that logs errors and renders them. */
import type { Context, Middleware } from "fresh";
import { ConsoleError } from "../../../components/console/ConsoleError.tsx";
import { ErrorPage } from "../../../components/ErrorPage.tsx";
import { wantsHtml, wantsJson, wantsStream } from "../../platform/http/audience.ts";
import { type Problem, problemOf, problemResponse } from "../../platform/http/errors.ts";
import { currentActor, keyDigest } from "../../platform/kv/mod.ts";
import type { Routes } from "../routes.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";
import { readSession } from "./session.ts";

/**
 * Turns every thrown error into a response: JSON for programs, a page for people. It runs inside
 * the header middlewares, so that error responses get all headers too.
 */
export function errors(routes: Routes): Middleware<State> {
  return (ctx) =>
    ctx.next().catch(async (error) => {
      ctx.error = error;
      const problem = await failureOf(error, ctx);
      return routes.isForPrograms(ctx) || wantsJson(ctx.req) || wantsStream(ctx.req) ||
          routes.expectsJson(ctx) ||
          ctx.state.surface.kind === "api" && !wantsHtml(ctx.req)
        ? problemResponse(problem)
        : errorPage(ctx, problem);
    });
}

/** Returns the problem of an error, and logs an unexpected one. */
async function failureOf(
  error: unknown,
  { req, route, state: { services, surface } }: Context<State>,
): Promise<Problem> {
  const problem = problemOf(error);
  if (problem.status !== 500) return problem;
  services.log({
    level: "error",
    event: "internal",
    method: req.method,
    surface: surface.name,
    route,
    stack: error instanceof Error ? error.stack : String(error),
    read: await readRows(services),
  });
  // People quote it, and operators find the log line.
  return { ...problem, details: { request_id: services.requestScope.id() } };
}

/** Returns the tables of the rows that the request read last, with the digests of their keys. */
async function readRows({ secrets }: Services): Promise<string[] | undefined> {
  const keys = currentActor()?.lastRead ?? [];
  const rows = keys.map(async (key) => `${String(key[0])} ${await keyDigest(secrets, key)}`);
  return await Promise.all(rows).catch(() => undefined); // the secret may be in the store, which may have failed
}

async function errorPage(
  ctx: Context<State>,
  problem: Problem,
): Promise<Response> {
  ctx.state.scripts = false;
  ctx.state.shared = false;
  ctx.state.bare = isConsole(ctx);
  const visitor = await visitorOf(ctx);
  await ctx.state.overview?.catch(() => {}); // the store itself may have failed
  const { status } = problem;
  // The page may show who is signed in.
  const headers = { "cache-control": "no-store", ...problem.headers };
  const { req, url, state } = ctx;
  const page = state.bare
    ? <ConsoleError {...{ problem, state, url, req }} visitor={visitor} />
    : <ErrorPage {...{ problem, state }} pathname={url.pathname} method={req.method} />;
  return await ctx.render(page, { status, headers });
}

const isConsole = ({ url: { pathname }, state: { surface } }: Context<State>) =>
  surface.kind === "console" || surface.servesAll && /^\/console(\/|$)/.test(pathname);

/** Returns who is signed in, and reads the session of a request that failed before that. */
async function visitorOf(ctx: Context<State>) {
  const { state } = ctx;
  if (state.surface.signIn === null) return null;
  try {
    if (state.session === null) Object.assign(state, await readSession(ctx));
    return state.session && { email: state.session.email, layer: state.layer };
  } catch {
    return null; // the store itself may have failed
  }
}
