import type { Command } from "./commands.ts";
import { fileToPattern } from "./pattern.ts";
import type { Middleware, Route, RouteComponent, RouteConfig, RouteHandler } from "./types.ts";

/** What a file below `routes/` may export. */
export interface RouteModule<State> {
  default?: RouteComponent<State> | Middleware<State> | Middleware<State>[];
  handler?: RouteHandler<unknown, State> | Middleware<State>[];
  handlers?: RouteHandler<unknown, State> | Middleware<State>[];
  config?: RouteConfig;
}

// In one folder: what surrounds pages, the index, named pages, parameters, the rest, groups.
const RANKS: [RegExp, number][] = [
  [/^_app$/, 0],
  [/^_middleware$/, 1],
  [/^_layout$/, 2],
  [/^_error$/, 3],
  [/^_404$/, 3],
  [/^_500$/, 3],
  [/^index$/, 4],
  [/^\(.*\)$/, 8],
  [/^\[\.\.\./, 7],
  [/\[/, 6],
];

/** Orders route files (without extensions) so that the more particular ones come first. */
export function compareRouteFiles(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const one = left[i];
    const other = right[i];
    if (one === other) continue;
    if (one === undefined || other === undefined) {
      return one === undefined ? -1 : 1;
    }
    const byRank = rank(one) - rank(other);
    if (byRank !== 0) return byRank;
    return one < other ? -1 : 1;
  }
  return 0;
}

function rank(part: string): number {
  return RANKS.find(([pattern]) => pattern.test(part))?.[1] ?? 5;
}

/**
 * The commands that a folder of route modules stands for.
 *
 * @param modules By path below `routes/` without extension, for example `blog/[slug]`
 * @throws {TypeError} on a file that exports nothing of use
 */
export function routesToCommands<State>(
  modules: Map<string, RouteModule<State>>,
): Command<State>[] {
  const commands: Command<State>[] = [];
  for (const file of [...modules.keys()].sort(compareRouteFiles)) {
    const module = modules.get(file)!;
    const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
    const name = file.slice(folder === "" ? 0 : folder.length + 1);
    // Groups stay in the scope, so that only their own files are inside.
    const scope = "/" + folder.replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, ":$1");
    const handler = module.handlers ?? module.handler;
    const component = module.default as RouteComponent<State> | undefined;
    const fail = (what: string) => new TypeError(`routes/${file} must export ${what}.`);
    switch (name) {
      case "_app":
        if (component === undefined) throw fail("a component as default");
        commands.push({ type: "app", component });
        break;
      case "_layout":
        if (component === undefined) throw fail("a component as default");
        commands.push({
          type: "layout",
          path: scope,
          component,
          config: module.config ?? {},
        });
        break;
      case "_middleware": {
        const fns = handler ?? module.default;
        if (typeof fns !== "function" && !Array.isArray(fns)) {
          throw fail("a function or an array");
        }
        commands.push({
          type: "middleware",
          path: scope,
          fns: (Array.isArray(fns) ? fns : [fns]) as Middleware<State>[],
        });
        break;
      }
      case "_error":
      case "_500":
        commands.push({
          type: "error",
          path: scope,
          route: asRoute(module, fail),
        });
        break;
      case "_404":
        commands.push({ type: "notFound", route: asRoute(module, fail) });
        break;
      default:
        if (name.startsWith("_")) continue;
        commands.push({
          type: "route",
          path: fileToPattern(file),
          scope,
          route: asRoute(module, fail),
          config: undefined,
        });
    }
  }
  return commands;
}

function asRoute<State>(
  module: RouteModule<State>,
  fail: (what: string) => TypeError,
): Route<State> {
  const handler = (module.handlers ?? module.handler) as
    | RouteHandler<unknown, State>
    | undefined;
  const component = module.default as RouteComponent<State> | undefined;
  if (handler === undefined && component === undefined) {
    throw fail("a component as default or a handler");
  }
  return { handler, component, config: module.config };
}
