import type { Context } from "./context.ts";
import type { LayoutConfig, MaybeLazyMiddleware, Route, RouteComponent } from "./types.ts";

/** What surrounds a page at one place of the tree: the app wrapper and the layouts, outermost first. */
export interface Surroundings<State> {
  app: RouteComponent<State> | null;
  layouts: RouteComponent<State>[];
}

/** One step of a request's way, with what surrounds a page rendered there. */
export interface Step<State> {
  run: MaybeLazyMiddleware<State>;
  around: Surroundings<State>;
}

/** One path segment of the tree in which middlewares, layouts and error pages are inherited. */
export interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  app: RouteComponent<State> | null;
  layout: { component: RouteComponent<State>; config: LayoutConfig } | null;
  errorRoute: Route<State> | null;
  notFound: Route<State> | null;
  middlewares: MaybeLazyMiddleware<State>[];
}

export function newSegment<State>(parent: Segment<State> | null): Segment<State> {
  return {
    parent,
    children: new Map(),
    app: null,
    layout: null,
    errorRoute: null,
    notFound: null,
    middlewares: [],
  };
}

/** The segment at `path` below `root`, made where it is missing; `*` and `/` name the root. */
export function segmentAt<State>(root: Segment<State>, path: string): Segment<State> {
  let segment = root;
  for (const part of path.split("/")) {
    if (part === "" || part === "*") continue;
    let child = segment.children.get(part);
    if (child === undefined) {
      child = newSegment(segment);
      segment.children.set(part, child);
    }
    segment = child;
  }
  return segment;
}

/**
 * The steps that lead to something in `segment`: for each segment from the root on, a guard that
 * turns errors into its error page (where it has one), then its middlewares so far.
 */
export function stepsTo<State>(
  segment: Segment<State>,
  renderError: (ctx: Context<State>, route: Route<State>, error: unknown) => Promise<Response>,
): { steps: Step<State>[]; around: Surroundings<State> } {
  const line: Segment<State>[] = [];
  for (let s: Segment<State> | null = segment; s !== null; s = s.parent) {
    line.unshift(s);
  }

  const root = line[0];
  const steps: Step<State>[] = [];
  let around: Surroundings<State> = { app: null, layouts: [] };
  for (const current of line) {
    around = surroundingsIn(current, around);
    if (current.errorRoute !== null || current === root) {
      steps.push({ run: errorGuard(root, current, renderError), around });
    }
    for (const run of current.middlewares) steps.push({ run, around });
  }
  return { steps, around };
}

function surroundingsIn<State>(
  segment: Segment<State>,
  outer: Surroundings<State>,
): Surroundings<State> {
  let { app, layouts } = outer;
  if (segment.app !== null) app = segment.app;
  if (segment.layout !== null) {
    const { component, config } = segment.layout;
    if (config.skipAppWrapper) app = null;
    layouts = config.skipInheritedLayouts ? [component] : [...layouts, component];
  }
  return app === outer.app && layouts === outer.layouts ? outer : { app, layouts };
}

function errorGuard<State>(
  root: Segment<State>,
  segment: Segment<State>,
  renderError: (ctx: Context<State>, route: Route<State>, error: unknown) => Promise<Response>,
): MaybeLazyMiddleware<State> {
  const answer = async (ctx: Context<State>) => {
    try {
      return await ctx.next();
    } catch (error) {
      const missing = (error as { status?: unknown } | null)?.status === 404;
      const route = missing && root.notFound !== null ? root.notFound : segment.errorRoute;
      if (route === null) throw error;
      return await renderError(ctx, route, error);
    }
  };
  // Looked up for each request: error pages may be registered after the routes.
  return (ctx) => root.notFound === null && segment.errorRoute === null ? ctx.next() : answer(ctx);
}
