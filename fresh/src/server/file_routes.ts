/** The rules of file routes: the order of the files, their exports and their patterns. */
import type { NamedModule } from "../assets.ts";
import { type Context, pageProps, type RouteComponent, vnodeOf } from "./context.ts";
import {
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  METHODS,
  type Middleware,
  type PageResponse,
  type RouteHandler,
} from "./define.ts";
import { fileToPattern } from "./patterns.ts";
import type { RouteTable } from "./route_table.ts";

export interface RouteModule<State> {
  default?: RouteComponent<State> | Middleware<State> | Middleware<State>[];
  handler?: RouteHandler<unknown, State> | Middleware<State>[];
  handlers?: RouteHandler<unknown, State> | Middleware<State>[];
}

/** Returns route files in an order in which the more specific ones come first. */
export function orderRouteFiles<File extends { name: string }>(files: readonly File[]): File[] {
  return files.map((file) => ({ file, key: sortKey(file.name) }))
    .sort((a, b) => a.key < b.key ? -1 : 1)
    .map(({ file }) => file);
}

/** The order of files within a folder: those around pages, the index, static names, parameters. */
function rankOf(part: string): number {
  if (part === "_app") return 0;
  if (part === "_middleware") return 1;
  if (part === "index") return 2;
  if (!part.includes("[")) return 3;
  return part.startsWith("[.") ? 5 : 4;
}

function sortKey(file: string): string {
  const ranked = (part: string) => rankOf(part) + part;
  return file.split("/").map(ranked).join("\0") + "\uffff"; // after the files of a folder of this name
}

/**
 * Adds the routes and middlewares of the files below `routes/`.
 *
 * @param files Their names are paths without extension, for example `blog/[slug]`
 * @throws {TypeError} for a file without a usable export
 */
export function addFileRoutes<State>(
  table: RouteTable<State>,
  files: NamedModule<RouteModule<State>>[],
): void {
  for (const { name, exports } of orderRouteFiles(files)) addFile(table, name, exports);
}

function addFile<State>(table: RouteTable<State>, file: string, module: RouteModule<State>): void {
  const fail = (what: string) => new TypeError(`routes/${file} ${what}.`);
  const name = file.slice(file.lastIndexOf("/") + 1);
  const scope = fileToPattern(file.slice(0, file.length - name.length) + "index");
  const handler = module.handlers ?? module.handler;
  const component = module.default as RouteComponent<State> | undefined;
  if ("config" in module) throw fail("exports a config, which is not supported");
  if (name === "_app") {
    if (scope !== "/") throw fail("must be directly below routes/");
    if (component === undefined) throw fail("must export a component as default");
    table.app = component;
    return;
  }
  if (name === "_middleware") {
    const middlewares = [handler ?? module.default].flat() as Middleware<State>[];
    if (typeof middlewares[0] === "object") {
      return console.warn(`routes/${file} is skipped: middlewares have no handlers by method.`);
    }
    if (middlewares.some((one) => typeof one !== "function")) {
      throw fail("must export a function or an array of functions");
    }
    return table.use(scope, middlewares);
  }
  if (name.startsWith("_")) throw fail("has a name that is not supported");
  if (handler === undefined && component === undefined) {
    throw fail("must export a component as default or a handler");
  }
  const pattern = fileToPattern(file);
  const add = (methods: readonly Method[], handle?: HandlerFn<unknown, State>) =>
    table.add(methods, pattern, scope, (ctx) => runRoute(ctx, handle, component));
  if (typeof handler === "function") return add(METHODS, handler);
  const byMethod = (handler ?? {}) as HandlerByMethod<unknown, State>;
  for (const method of METHODS) {
    if (byMethod[method] !== undefined) add([method], byMethod[method]);
    else if (method === "GET" && component !== undefined) add(["GET"]);
  }
}

/** Runs a route's handler, if it has one, and renders its component with the handler's data. */
function runRoute<State>(
  ctx: Context<State>,
  handle: HandlerFn<unknown, State> | undefined,
  component: RouteComponent<State> | undefined,
): Response | Promise<Response> {
  const respond = (result: HandlerResult) =>
    result instanceof Response ? result : renderRoute(ctx, result, component);
  const result = handle === undefined ? { data: {} } : handle(ctx);
  return result instanceof Promise ? result.then(respond) : respond(result);
}

type HandlerResult = Response | PageResponse<unknown>;

async function renderRoute<State>(
  ctx: Context<State>,
  result: PageResponse<unknown>,
  component: RouteComponent<State> | undefined,
): Promise<Response> {
  const { data, ...init } = result;
  const vnode = component === undefined ? null : await vnodeOf(component, pageProps(ctx, data));
  return vnode instanceof Response ? vnode : await ctx.render(vnode, init);
}
