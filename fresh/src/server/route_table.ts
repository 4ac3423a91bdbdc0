import type { RouteComponent } from "./context.ts";
import type { Method, Middleware } from "./define.ts";
import { compilePattern, isDynamic, type Matcher } from "./patterns.ts";

/** One middleware or route of a request, with the layouts of pages rendered there. */
export interface Step<State> {
  run: Middleware<State>;
  layouts: RouteComponent<State>[];
}

/** One path segment of the tree along which middlewares and layouts are inherited. */
interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  middlewares: Middleware<State>[];
  layout: RouteComponent<State> | null;
}

interface Route<State> {
  pattern: string;
  match: Matcher;
  byMethod: Map<string, Step<State>[]>;
}

/** A route that matches a path; `steps` is undefined when it doesn't handle the method. */
export interface RouteMatch<State> {
  route: Route<State>;
  params: Record<string, string>;
  steps: Step<State>[] | undefined;
}

const NO_PARAMS: Record<string, string> = Object.freeze(Object.create(null));

/**
 * The routes of an app, with the middlewares and layouts around them. A route has the middlewares
 * that were added before it.
 */
export class RouteTable<State> {
  /** The app wrapper. */
  app: RouteComponent<State> | null = null;
  #root: Segment<State> = newSegment(null);
  #statics = new Map<string, Route<State>>();
  #dynamics: Route<State>[] = [];

  use(path: string, middlewares: Middleware<State>[]): void {
    this.#segment(path).middlewares.push(...middlewares);
  }

  setLayout(path: string, layout: RouteComponent<State>): void {
    this.#segment(path).layout = layout;
  }

  /**
   * Adds a route.
   *
   * @param scope The path whose middlewares and layouts apply
   * @throws {Error} when the pattern already has a route for one of the methods
   */
  add(methods: readonly Method[], pattern: string, scope: string, run: Middleware<State>): void {
    const { steps, layouts } = stepsTo(this.#segment(scope));
    const { byMethod } = this.#route(pattern);
    for (const method of methods) {
      if (byMethod.has(method)) throw new Error(`Two routes for ${method} ${pattern}.`);
      byMethod.set(method, [...steps, { run, layouts }]);
    }
  }

  /** Finds a route: static patterns first, then dynamic ones in the order of their addition. */
  match(method: string, pathname: string): RouteMatch<State> | null {
    const route = this.#statics.get(pathname) ?? this.#statics.get(otherSlash(pathname));
    if (route !== undefined) return { route, params: NO_PARAMS, steps: stepsOf(route, method) };
    for (const route of this.#dynamics) {
      const params = route.match(pathname);
      if (params !== null) return { route, params, steps: stepsOf(route, method) };
    }
    return null;
  }

  /** Returns the middlewares that run for paths without a route, and the layouts there. */
  rootSteps(): ReturnType<typeof stepsTo<State>> {
    return stepsTo(this.#root);
  }

  #route(pattern: string): Route<State> {
    const known = this.#statics.get(pattern) ??
      this.#dynamics.find((route) => route.pattern === pattern);
    if (known !== undefined) return known;
    const dynamic = isDynamic(pattern);
    const match = dynamic ? compilePattern(pattern) : () => NO_PARAMS;
    const route: Route<State> = { pattern, match, byMethod: new Map() };
    if (dynamic) this.#dynamics.push(route);
    else this.#statics.set(pattern, route);
    return route;
  }

  #segment(path: string): Segment<State> {
    let segment = this.#root;
    for (const part of path.split("/")) {
      if (part === "" || part === "*") continue;
      let child = segment.children.get(part);
      if (child === undefined) segment.children.set(part, child = newSegment(segment));
      segment = child;
    }
    return segment;
  }
}

function newSegment<State>(parent: Segment<State> | null): Segment<State> {
  return { parent, children: new Map(), middlewares: [], layout: null };
}

/** Returns the middlewares from the root to a segment, each with the layouts of its place. */
function stepsTo<State>(
  { parent, middlewares, layout }: Segment<State>,
): { steps: Step<State>[]; layouts: RouteComponent<State>[] } {
  const outer = parent === null ? { steps: [], layouts: [] } : stepsTo(parent);
  const layouts = layout === null ? outer.layouts : [...outer.layouts, layout];
  return { steps: [...outer.steps, ...middlewares.map((run) => ({ run, layouts }))], layouts };
}

function stepsOf<State>({ byMethod }: Route<State>, method: string): Step<State>[] | undefined {
  return byMethod.get(method) ?? (method === "HEAD" ? byMethod.get("GET") : undefined);
}

/** A static pattern also matches with, or without, a trailing slash. */
function otherSlash(pathname: string): string {
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname + "/";
}
