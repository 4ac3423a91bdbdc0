import { type Context, element, pageProps, type RouteComponent } from "./context.ts";
import {
  type HandlerFn,
  type Method,
  METHODS,
  type Middleware,
  type RouteHandler,
} from "./define.ts";
import { HttpError } from "./error.ts";
import { fileToPattern } from "./patterns.ts";
import type { RouteTable } from "./route_table.ts";

/** The exports of a file below `routes/`. */
export interface RouteModule<State> {
  default?: RouteComponent<State> | Middleware<State> | Middleware<State>[];
  handler?: RouteHandler<unknown, State> | Middleware<State>[];
  handlers?: RouteHandler<unknown, State> | Middleware<State>[];
}

// The order of files and folders within a folder; any other name comes between index and [x].
const ORDER = [/^_app$/, /^_middleware$/, /^_layout$/, /^index$/, /^[^[]*$/, /^(?!\[\.\.\.)/];

/** Orders route files so that the more specific ones come first. */
export function compareRouteFiles(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  const i = left.findIndex((part, i) => part !== right[i]);
  if (i < 0) return left.length - right.length;
  if (right[i] === undefined) return 1;
  return rank(left[i]) - rank(right[i]) || (left[i] < right[i] ? -1 : 1);
}

function rank(part: string): number {
  const index = ORDER.findIndex((pattern) => pattern.test(part));
  return index < 0 ? ORDER.length : index;
}

/**
 * Adds the routes, middlewares and layouts of a folder of route modules.
 *
 * @param modules By path below `routes/` without extension, for example `blog/[slug]`
 * @throws {TypeError} for a file without a usable export
 */
export function addFileRoutes<State>(
  table: RouteTable<State>,
  modules: Map<string, RouteModule<State>>,
): void {
  for (const file of [...modules.keys()].sort(compareRouteFiles)) {
    addFile(table, file, modules.get(file)!);
  }
}

function addFile<State>(table: RouteTable<State>, file: string, module: RouteModule<State>): void {
  const fail = (what: string) => new TypeError(`routes/${file} ${what}.`);
  const slash = file.lastIndexOf("/");
  const scope = fileToPattern(file.slice(0, slash + 1) + "index");
  const handler = module.handlers ?? module.handler;
  const component = module.default as RouteComponent<State> | undefined;
  if ("config" in module) throw fail("exports a config, which is not supported");
  switch (file.slice(slash + 1)) {
    case "_app":
      if (scope !== "/") throw fail("must be directly below routes/");
      if (component === undefined) throw fail("must export a component as default");
      table.app = component;
      return;
    case "_layout":
      if (component === undefined) throw fail("must export a component as default");
      table.setLayout(scope, component);
      return;
    case "_middleware": {
      const middlewares = [handler ?? module.default].flat() as Middleware<State>[];
      if (middlewares.some((one) => typeof one !== "function")) {
        throw fail("must export a function or an array of functions");
      }
      table.use(scope, middlewares);
      return;
    }
  }
  if (file.slice(slash + 1).startsWith("_")) throw fail("has a name that is not supported");
  if (handler === undefined && component === undefined) {
    throw fail("must export a component as default or a handler");
  }
  const route = { handler: handler as RouteHandler<unknown, State> | undefined, component };
  table.add(methodsOf(route), fileToPattern(file), scope, (ctx) => runRoute(ctx, route));
}

interface Route<State> {
  handler: RouteHandler<unknown, State> | undefined;
  component: RouteComponent<State> | undefined;
}

/** Returns the methods that a route handles; a page without handlers handles GET. */
function methodsOf<State>({ handler, component }: Route<State>): readonly Method[] {
  if (typeof handler === "function") return METHODS;
  const methods = Object.keys(handler ?? {}) as Method[];
  return component === undefined || methods.includes("GET") ? methods : [...methods, "GET"];
}

/** Runs a route's handler and renders its component with the data from the handler. */
async function runRoute<State>(
  ctx: Context<State>,
  { handler, component }: Route<State>,
): Promise<Response> {
  const run = handlerFor(handler, ctx.req.method);
  let init: ResponseInit = {};
  if (run !== undefined) {
    const result = await run(ctx);
    if (result instanceof Response) return result;
    ctx.data = result.data;
    init = { status: result.status, headers: result.headers };
  } else if (component === undefined) {
    throw new HttpError(404);
  }
  const vnode = component === undefined ? null : element(component, pageProps(ctx));
  return await ctx.render(vnode, init);
}

function handlerFor<State>(
  handler: Route<State>["handler"],
  method: string,
): HandlerFn<unknown, State> | undefined {
  if (typeof handler !== "object") return handler;
  return handler[method as Method] ?? (method === "HEAD" ? handler.GET : undefined);
}
