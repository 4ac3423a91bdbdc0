import type { Context, Middleware } from "fresh";
import type { Surface } from "../platform/surfaces/mod.ts";
import type { RouteProperties, Routes } from "./routes.ts";
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
 * request's surface and route are left out when the app is created, because each one takes time.
 */
export function pipeline(
  surfaces: readonly Surface[],
  routes: Routes,
  steps: readonly Step[],
): Middleware<State> {
  const stepsAt = (place: Place) =>
    steps.filter(([, appliesTo]) => appliesTo?.(place) ?? true).map(([run]) => run);
  const bySurface = new Map(surfaces.map((surface) => {
    const byRoute = new Map<string | null, Middleware<State>[]>();
    for (const [pattern, route] of routes.properties) {
      byRoute.set(pattern, stepsAt({ surface, pattern, route }));
    }
    const others = stepsAt({ surface, pattern: null, route: {} });
    return [surface, { byRoute, others }];
  }));
  return (ctx) => {
    const { byRoute, others } = bySurface.get(ctx.state.surface)!;
    const steps = byRoute.get(ctx.route) ?? others;
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

export const forPeople = ({ route }: Place): boolean =>
  route.audience === undefined || route.audience === "people";

/** Forms come from people. */
export const notOnlyForPrograms = ({ route }: Place): boolean => route.audience !== "programs";

/** A route whose responses may depend on who is signed in. */
export const mayKnowPeople = ({ route }: Place): boolean => !route.anonymous;

export const noRoute = ({ pattern }: Place): boolean => pattern === null;

/** A path that no route or only a pattern with parameters matches. */
export const notExact = ({ pattern }: Place): boolean => pattern === null || pattern.includes(":");
