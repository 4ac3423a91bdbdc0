/** Runs the middlewares of the site, for each surface and route only those that apply there. */
import type { Context, Middleware } from "fresh";
import type { Surface } from "../platform/surfaces/mod.ts";
import type { RouteProperties } from "../platform/http/route_properties.ts";
import type { Routes } from "./routes.ts";
import type { State } from "./state.ts";

/** The surface and the route of a request. */
interface Place {
  surface: Surface;
  /** Null for a path without a route, such as a static file. */
  pattern: string | null;
  route: RouteProperties;
}

/** A middleware, and the places where it can do something. Default: everywhere. */
export type Step = readonly [run: Middleware<State>, appliesTo?: (place: Place) => boolean];

/**
 * Creates the middleware that runs steps, from the outside in. The steps that do not apply to a
 * request's surface and route are left out at its first request, because each one takes time.
 */
export function pipeline(routes: Routes, steps: readonly Step[]): Middleware<State> {
  const stepsAt = (place: Place) =>
    steps.filter(([, appliesTo]) => appliesTo?.(place) ?? true).map(([run]) => run);
  const known = new Map<Surface, Map<string | null, Middleware<State>[]>>();
  return (ctx) => {
    const { surface } = ctx.state;
    let byRoute = known.get(surface);
    if (byRoute === undefined) known.set(surface, byRoute = new Map());
    let steps = byRoute.get(ctx.route);
    if (steps === undefined) {
      const route = ctx.route === null ? undefined : routes.properties.get(ctx.route);
      const pattern = route === undefined ? null : ctx.route;
      byRoute.set(ctx.route, steps = stepsAt({ surface, pattern, route: route ?? {} }));
    }
    ctx.state.pipeline = { steps, index: 0, route: ctx.next };
    ctx.next = nextStep;
    return ctx.next();
  };
}

/** Runs the next step of a request. A closure for each step would keep requests alive for long. */
function nextStep(this: Context<State>): Promise<Response> {
  const { pipeline } = this.state;
  const step = pipeline.steps[pipeline.index++];
  if (step === undefined) {
    this.next = pipeline.route;
    return this.next();
  }
  try {
    const response = step(this);
    return response instanceof Promise ? response : Promise.resolve(response);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A route whose responses are pages for people. */
export const forPeople = ({ route }: Place): boolean =>
  route.audience === undefined || route.audience === "people";

/** A route whose responses a browser may show, so that they need a page's headers. */
export const notOnlyForPrograms = ({ route }: Place): boolean => route.audience !== "programs";

/** A route whose responses may depend on who is signed in. */
export const mayKnowPeople = ({ route }: Place): boolean => !route.anonymous;

/** A path that no route matches. */
export const noRoute = ({ pattern }: Place): boolean => pattern === null;

/** A path that no route or only a pattern with parameters matches. */
export const notExact = ({ pattern }: Place): boolean => pattern === null || pattern.includes(":");
