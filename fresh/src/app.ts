import type { Command } from "./commands.ts";
import { Context, internalsOf } from "./context.ts";
import { HttpError } from "./error.ts";
import { joinPattern } from "./pattern.ts";
import { allowedMethods, renderRoute } from "./route.ts";
import { METHODS, Router } from "./router.ts";
import { setBuildKey } from "./runtime.ts";
import { newSegment, type Segment, segmentAt, type Step, stepsTo } from "./segment.ts";
import { emptySnapshot, type Snapshot } from "./snapshot.ts";
import type {
  FreshConfig,
  LayoutConfig,
  Lazy,
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
export let applySnapshot: <State>(
  app: App<State>,
  snapshot: Snapshot<State>,
) => void;

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
  use(
    first: string | MaybeLazyMiddleware<State>,
    ...rest: MaybeLazyMiddleware<State>[]
  ): this {
    return typeof first === "string"
      ? this.#add({ type: "middleware", path: first, fns: rest })
      : this.#add({ type: "middleware", path: "*", fns: [first, ...rest] });
  }

  /** The answer to what nothing else answers. */
  notFound(routeOrMiddleware: Route<State> | Middleware<State>): this {
    return this.#add({ type: "notFound", route: asRoute(routeOrMiddleware) });
  }

  /** The answer to errors below a path. */
  onError(
    path: string,
    routeOrMiddleware: Route<State> | Middleware<State>,
  ): this {
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

  layout(
    path: string,
    component: RouteComponent<State>,
    config: LayoutConfig = {},
  ): this {
    return this.#add({ type: "layout", path, component, config });
  }

  route(
    path: string,
    route: MaybeLazy<Route<State>>,
    config?: RouteConfig,
  ): this {
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
    const base = joinPattern(
      path,
      app.config.basePath === "" ? "/" : app.config.basePath,
    );
    for (const command of app.#commands) this.#add(below(base, command));
    return this;
  }

  /** The function that answers requests, for `Deno.serve` and for tests. */
  handler(): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const snapshot = this.#snapshot ?? emptySnapshot<State>(this.config.root);
    setBuildKey(snapshot.key, this.config.basePath);
    const router = new Router<Step<State>>();
    const root = newSegment<State>(null);
    this.#apply(this.#commands, root, router, snapshot);
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

  #handle(
    methods: readonly Method[],
    path: string,
    fns: MaybeLazyMiddleware<State>[],
  ): this {
    return this.#add({ type: "handler", path, methods, fns });
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }

  #apply(
    commands: Command<State>[],
    root: Segment<State>,
    router: Router<Step<State>>,
    snapshot: Snapshot<State>,
  ): void {
    const { basePath } = this.config;
    for (const command of commands) {
      switch (command.type) {
        case "middleware":
          segmentAt(root, command.path).middlewares.push(
            ...command.fns.map(settled),
          );
          break;
        case "layout": {
          const { component, config } = command;
          segmentAt(root, command.path).layout = { component, config };
          break;
        }
        case "app":
          root.app = command.component;
          break;
        case "error":
          segmentAt(root, command.path).errorRoute = command.route;
          break;
        case "notFound":
          root.notFound = command.route;
          break;
        case "handler": {
          const { steps, around } = stepsTo(
            segmentAt(root, command.path),
            renderError,
          );
          for (const run of command.fns) {
            steps.push({ run: settled(run), around });
          }
          const pattern = joinPattern(basePath, command.path);
          for (const method of command.methods) {
            router.add(method, pattern, steps);
          }
          break;
        }
        case "route": {
          const { steps, around } = stepsTo(
            segmentAt(root, command.scope),
            renderError,
          );
          const { route } = command;
          const configured = (own: Route<State>): Route<State> => ({
            ...own,
            config: { ...own.config, ...command.config },
          });
          let known = typeof route === "function" ? undefined : configured(route);
          const load = async (ctx: Context<State>) =>
            renderRoute(ctx, known ??= configured(await (route as Lazy<Route<State>>)()));
          const run = (ctx: Context<State>) =>
            known === undefined ? load(ctx) : renderRoute(ctx, known);
          steps.push({ run, around });
          const config = known?.config ?? command.config ?? {};
          const pattern = joinPattern(basePath, config.routeOverride ?? command.path);
          for (const method of allowedMethods(known, config)) {
            router.add(method, pattern, steps);
          }
          break;
        }
        case "fsRoutes": {
          const base = command.path;
          const inner = base === "*" || base === "/"
            ? snapshot.commands
            : snapshot.commands.map((item) => below(base, item));
          this.#apply(inner, root, router, snapshot);
          break;
        }
      }
    }
  }
}

/** Runs the step at `index`, with `ctx.next()` leading to the one after it. */
function runFrom<State>(
  ctx: Context<State>,
  steps: Step<State>[],
  index: number,
  last: () => Promise<Response>,
): Promise<Response> {
  if (index === steps.length) return last();
  const { run, around } = steps[index];
  const internals = internalsOf(ctx);
  internals.around = around;
  const inner = steps[index + 1]?.around ?? around;
  ctx.next = inner === around ? () => runFrom(ctx, steps, index + 1, last) : async () => {
    // What surrounds a page differs further in: put ours back for whoever renders after that.
    try {
      return await runFrom(ctx, steps, index + 1, last);
    } finally {
      internals.around = around;
    }
  };
  try {
    const result = run(ctx);
    return (result instanceof Promise ? result : Promise.resolve(result)) as Promise<Response>;
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Accepts upstream's lazy middlewares: a first call that resolves to the middleware itself. */
function settled<State>(fn: MaybeLazyMiddleware<State>): MaybeLazyMiddleware<State> {
  let known = fn;
  let maybeLazy = true;
  return (ctx) => {
    const result = known(ctx);
    if (!maybeLazy || !(result instanceof Promise)) return result;
    return result.then((value) => {
      maybeLazy = false;
      if (typeof value !== "function") return value;
      known = value;
      return value(ctx);
    });
  };
}

function renderError<State>(
  ctx: Context<State>,
  route: Route<State>,
  error: unknown,
): Promise<Response> {
  ctx.error = error;
  return renderRoute(
    ctx,
    route,
    error instanceof HttpError ? error.status : 500,
  );
}

function asRoute<State>(value: Route<State> | Middleware<State>): Route<State> {
  return typeof value === "function" ? { handler: value } : value;
}

function below<State>(base: string, command: Command<State>): Command<State> {
  if (command.type === "app" || command.type === "notFound") return command;
  const path = joinPattern(base, command.path);
  if (command.type !== "route") return { ...command, path };
  const { route, config } = command;
  const override = config?.routeOverride ??
    (typeof route === "function" ? undefined : route.config?.routeOverride);
  return {
    ...command,
    path,
    scope: joinPattern(base, command.scope === "" ? "/" : command.scope),
    config: override === undefined
      ? config
      : { ...config, routeOverride: joinPattern(base, override) },
  };
}

const PLAIN_PATH = /^https?:\/\/[^/?#]+(\/[\w.~!$&'()*+,;=:@%/-]*)(?=[?#]|$)/;

/** The path that routes are matched against, parsed in full only where it is not plain. */
function pathnameOf(url: string): string {
  const plain = PLAIN_PATH.exec(url)?.[1];
  if (plain !== undefined && !/\/\/|\/\.|%2e/i.test(plain)) return plain;
  return new URL(url).pathname.replace(/\/+/g, "/");
}

function notFound(): Promise<Response> {
  return Promise.reject(new HttpError(404));
}

function methodMissing(
  method: string,
  byMethod: Map<string, unknown>,
): () => Promise<Response> {
  const allow = [...byMethod.keys()].join(", ");
  if (method === "OPTIONS") {
    return () => Promise.resolve(new Response(null, { status: 204, headers: { allow } }));
  }
  return () => Promise.reject(new HttpError(405));
}

function plainError(error: unknown): Response {
  if (error instanceof HttpError && error.status < 500) {
    return new Response(error.message || `${error.status}`, {
      status: error.status,
    });
  }
  console.error(error);
  const status = error instanceof HttpError ? error.status : 500;
  return new Response("Internal Server Error", { status });
}
