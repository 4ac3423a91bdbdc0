/** Finds the route and the middlewares for the method and path of a request. */
import type { RouteComponent } from "./context.ts";
import type { Method, Middleware } from "./define.ts";
import { compilePattern, isDynamic, type Matcher } from "./patterns.ts";

interface Route<State> {
  pattern: string;
  match: Matcher;
  byMethod: Map<string, Middleware<State>[]>;
}

/** A route that matches a path; `steps` is undefined when it doesn't handle the method. */
export interface RouteMatch<State> {
  route: Route<State>;
  params: Record<string, string>;
  steps: Middleware<State>[] | undefined;
}

const NO_PARAMS: Record<string, string> = Object.freeze(Object.create(null));

/**
 * The routes of an app, with the middlewares around them. A route has the middlewares that were
 * added before it.
 */
export class RouteTable<State> {
  /** The app wrapper. */
  app: RouteComponent<State> | null = null;
  /** The middlewares with the parts of the path at or below which they run. */
  #middlewares: { scope: string[]; run: Middleware<State> }[] = [];
  #statics = new Map<string, Route<State>>();
  /** By their patterns. */
  #dynamics = new Map<string, Route<State>>();

  use(path: string, middlewares: Middleware<State>[]): void {
    const scope = partsOf(path);
    this.#middlewares.push(...middlewares.map((run) => ({ scope, run })));
  }

  /**
   * Adds a route, except for methods for which the pattern has one already.
   *
   * @param scope The path whose middlewares apply
   */
  add(methods: readonly Method[], pattern: string, scope: string, run: Middleware<State>): void {
    const steps = [...this.middlewaresTo(scope), run];
    const { byMethod } = this.#route(pattern);
    for (const method of methods) {
      if (!byMethod.has(method)) byMethod.set(method, steps);
      else console.warn(`Two routes for ${method} ${pattern}: the first one is used.`);
    }
  }

  /** Finds a route: static patterns first, then dynamic ones in the order of their addition. */
  match(method: string, pathname: string): RouteMatch<State> | null {
    const route = this.#statics.get(pathname) ?? this.#statics.get(otherSlash(pathname));
    if (route !== undefined) return { route, params: NO_PARAMS, steps: stepsOf(route, method) };
    for (const route of this.#dynamics.values()) {
      const params = route.match(pathname);
      if (params !== null) return { route, params, steps: stepsOf(route, method) };
    }
    return null;
  }

  #route(pattern: string): Route<State> {
    const known = this.#statics.get(pattern) ?? this.#dynamics.get(pattern);
    if (known !== undefined) return known;
    const dynamic = isDynamic(pattern);
    const match = dynamic ? compilePattern(pattern) : () => NO_PARAMS;
    const route: Route<State> = { pattern, match, byMethod: new Map() };
    (dynamic ? this.#dynamics : this.#statics).set(pattern, route);
    return route;
  }

  /** Returns the middlewares of a path and those above it, outermost first. */
  middlewaresTo(path: string): Middleware<State>[] {
    const parts = partsOf(path);
    return this.#middlewares.filter(({ scope }) => scope.every((part, i) => part === parts[i]))
      .sort((a, b) => a.scope.length - b.scope.length)
      .map(({ run }) => run);
  }
}

const partsOf = (path: string) => path.split("/").filter((part) => part !== "" && part !== "*");

function stepsOf<State>(route: Route<State>, method: string): Middleware<State>[] | undefined {
  return route.byMethod.get(method) ?? (method === "HEAD" ? route.byMethod.get("GET") : undefined);
}

/** A static pattern also matches with, or without, a trailing slash. */
function otherSlash(pathname: string): string {
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname + "/";
}
