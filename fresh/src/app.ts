import type { Command } from "./commands.ts";
import { applyCommands, below, renderError } from "./apply.ts";
import { Context } from "./context.ts";
import { methodMissing, notFound, pathnameOf, plainError, runFrom } from "./dispatch.ts";
import { joinPattern } from "./pattern.ts";
import { METHODS, Router } from "./router.ts";
import { setBuildKey } from "./runtime.ts";
import { newSegment, type Step, stepsTo } from "./segment.ts";
import { emptySnapshot, type Snapshot } from "./snapshot.ts";
import type {
  FreshConfig,
  LayoutConfig,
  ListenOptions,
  MaybeLazy,
  MaybeLazyMiddleware,
  Method,
  Middleware,
  ResolvedFreshConfig,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** Gives an app its build; not for the site. */
export let applySnapshot: <State>(app: App<State>, snapshot: Snapshot<State>) => void;

const NO_CONNECTION = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
} as Deno.ServeHandlerInfo;

/**
 * A web application: middlewares and routes, in the order in which they are added.
 *
 * @example
 * ```ts
 * const app = new App().use(staticFiles()).get("/api/time", () => Response.json(Date.now()));
 * Deno.serve(app.handler());
 * ```
 */
export class App<State> {
  config: ResolvedFreshConfig;
  #commands: Command<State>[] = [];
  #snapshot: Snapshot<State> | null = null;

  static {
    applySnapshot = (app, snapshot) => {
      app.config.root = snapshot.root;
      app.#snapshot = snapshot;
    };
  }

  constructor(config: FreshConfig = {}) {
    this.config = {
      root: ".",
      basePath: config.basePath ?? "",
      mode: config.mode ?? "production",
      trustProxy: config.trustProxy ?? false,
    };
  }

  /** Middlewares for everything below a path that is registered after them. */
  use(...middleware: MaybeLazyMiddleware<State>[]): this;
  use(path: string, ...middleware: MaybeLazyMiddleware<State>[]): this;
  use(first: string | MaybeLazyMiddleware<State>, ...rest: MaybeLazyMiddleware<State>[]): this {
    return typeof first === "string"
      ? this.#add({ type: "middleware", path: first, fns: rest })
      : this.#add({ type: "middleware", path: "*", fns: [first, ...rest] });
  }

  /** The answer to what nothing else answers. */
  notFound(routeOrMiddleware: Route<State> | Middleware<State>): this {
    return this.#add({ type: "notFound", route: asRoute(routeOrMiddleware) });
  }

  /** The answer to errors below a path. */
  onError(path: string, routeOrMiddleware: Route<State> | Middleware<State>): this {
    return this.#add({
      type: "error",
      path,
      route: asRoute(routeOrMiddleware),
    });
  }

  /** The component around every page, with `<html>` and its head. */
  appWrapper(component: RouteComponent<State>): this {
    return this.#add({ type: "app", component });
  }

  layout(path: string, component: RouteComponent<State>, config: LayoutConfig = {}): this {
    return this.#add({ type: "layout", path, component, config });
  }

  route(path: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): this {
    return this.#add({ type: "route", path, scope: path, route, config });
  }

  get(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["GET"], path, fns);
  }
  post(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["POST"], path, fns);
  }
  put(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["PUT"], path, fns);
  }
  patch(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["PATCH"], path, fns);
  }
  delete(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["DELETE"], path, fns);
  }
  head(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(["HEAD"], path, fns);
  }
  /** Handlers for every method. */
  all(path: string, ...fns: MaybeLazyMiddleware<State>[]): this {
    return this.#handle(METHODS, path, fns);
  }

  /** Puts the build's file routes here. */
  fsRoutes(pattern = "*"): this {
    return this.#add({ type: "fsRoutes", path: pattern });
  }

  /** Takes over all that another app has been told, below a path. */
  mountApp(path: string, app: App<State>): this {
    const base = joinPattern(path, app.config.basePath === "" ? "/" : app.config.basePath);
    for (const command of app.#commands) this.#add(below(base, command));
    return this;
  }

  /** The function that answers requests, for `Deno.serve` and for tests. */
  handler(): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const snapshot = this.#snapshot ?? emptySnapshot<State>(this.config.root);
    setBuildKey(snapshot.key, this.config.basePath);
    const router = new Router<Step<State>>();
    const root = newSegment<State>(null);
    applyCommands(this.#commands, root, router, snapshot, this.config.basePath);
    const fallback = stepsTo(root, renderError).steps;
    return (req, info = NO_CONNECTION) => this.#answer(req, info, router, fallback, snapshot);
  }

  /** Serves this app; without a port, on the first free one from 8000 on. */
  async listen(options: ListenOptions = {}): Promise<void> {
    const handler = this.handler();
    if (options.port !== undefined) {
      return await Deno.serve(options, handler).finished;
    }
    for (let port = 8000;; port++) {
      try {
        return await Deno.serve({ ...options, port }, handler).finished;
      } catch (error) {
        if (!(error instanceof Deno.errors.AddrInUse) || port === 8019) {
          throw error;
        }
      }
    }
  }

  async #answer(
    req: Request,
    info: Deno.ServeHandlerInfo,
    router: Router<Step<State>>,
    fallback: Step<State>[],
    snapshot: Snapshot<State>,
  ): Promise<Response> {
    let pathname: string;
    try {
      pathname = pathnameOf(req.url);
    } catch {
      return new Response("Bad Request", { status: 400 });
    }
    const match = router.match(req.method, pathname);
    const steps = match?.steps ?? fallback;
    const last = match === null
      ? notFound
      : match.steps === undefined
      ? methodMissing(req.method, match.byMethod)
      : notFound;
    const ctx = new Context<State>(
      req,
      info,
      this.config,
      match?.pattern ?? null,
      match?.params ?? {},
      last,
      snapshot,
      steps[0].around,
    );
    try {
      const response = await runFrom(ctx, steps, 0, last);
      if (!(response instanceof Response)) {
        throw new TypeError(
          `A handler answered with ${response} instead of a Response.`,
        );
      }
      return req.method === "HEAD" && response.body !== null
        ? new Response(null, response)
        : response;
    } catch (error) {
      return plainError(error);
    }
  }

  #handle(methods: readonly Method[], path: string, fns: MaybeLazyMiddleware<State>[]): this {
    return this.#add({ type: "handler", path, methods, fns });
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }
}

function asRoute<State>(value: Route<State> | Middleware<State>): Route<State> {
  return typeof value === "function" ? { handler: value } : value;
}
