import { type Context, element, pageProps, type RouteComponent } from "./context.ts";
import {
  type HandlerFn,
  type Method,
  METHODS,
  type Middleware,
  type RouteHandler,
} from "./define.ts";
import { fileToPattern } from "./patterns.ts";
import type { RouteTable } from "./route_table.ts";

/** The exports of a file below `routes/`. */
export interface RouteModule<State> {
  default?: RouteComponent<State> | Middleware<State> | Middleware<State>[];
  handler?: RouteHandler<unknown, State> | Middleware<State>[];
  handlers?: RouteHandler<unknown, State> | Middleware<State>[];
}

/** The order of files within a folder: those around pages, the index, static names, parameters. */
const ORDER = [/^_app$/, /^_middleware$/, /^index$/, /^[^[]*$/, /^/];

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
  return ORDER.findIndex((pattern) => pattern.test(part));
}

/**
 * Adds the routes and middlewares of the files below `routes/`.
 *
 * @param files Their paths without extension, for example `blog/[slug]`, and their modules
 * @throws {TypeError} for a file without a usable export
 */
export function addFileRoutes<State>(
  table: RouteTable<State>,
  files: [path: string, module: RouteModule<State>][],
): void {
  const ordered = files.toSorted(([a], [b]) => compareRouteFiles(a, b));
  for (const [path, module] of ordered) addFile(table, path, module);
}

function addFile<State>(table: RouteTable<State>, file: string, module: RouteModule<State>): void {
  const fail = (what: string) => new TypeError(`routes/${file} ${what}.`);
  const name = file.slice(file.lastIndexOf("/") + 1);
  const scope = fileToPattern(file.slice(0, file.length - name.length) + "index");
  const handler = module.handlers ?? module.handler;
  const component = module.default as RouteComponent<State> | undefined;
  if ("config" in module) throw fail("exports a config, which is not supported");
  switch (name) {
    case "_app":
      if (scope !== "/") throw fail("must be directly below routes/");
      if (component === undefined) throw fail("must export a component as default");
      table.app = component;
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
  if (name.startsWith("_")) throw fail("has a name that is not supported");
  if (handler === undefined && component === undefined) {
    throw fail("must export a component as default or a handler");
  }
  const route = { handler: upperCased(handler as Route<State>["handler"]), component };
  table.add(methodsOf(route), fileToPattern(file), scope, (ctx) => runRoute(ctx, route));
}

interface Route<State> {
  handler: RouteHandler<unknown, State> | undefined;
  component: RouteComponent<State> | undefined;
}

/** Returns a handler by method with upper-case names. */
function upperCased<State>(handler: Route<State>["handler"]): Route<State>["handler"] {
  if (typeof handler !== "object") return handler;
  return Object.fromEntries(
    Object.entries(handler).map(([method, handle]) => [method.toUpperCase(), handle]),
  );
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
