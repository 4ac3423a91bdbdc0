import type { Command } from "./commands.ts";
import type { Context } from "./context.ts";
import { HttpError } from "./error.ts";
import { joinPattern } from "./pattern.ts";
import { allowedMethods, renderRoute } from "./route.ts";
import type { Router } from "./router.ts";
import { type Segment, segmentAt, type Step, stepsTo } from "./segment.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Lazy, MaybeLazyMiddleware, Route } from "./types.ts";

/** Carries out what an app was told, in order: fills the segments' tree and the router. */
export function applyCommands<State>(
  commands: Command<State>[],
  root: Segment<State>,
  router: Router<Step<State>>,
  snapshot: Snapshot<State>,
  basePath: string,
): void {
  for (const command of commands) {
    switch (command.type) {
      case "middleware":
        segmentAt(root, command.path).middlewares.push(...command.fns.map(settled));
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
        const { steps, around } = stepsTo(segmentAt(root, command.path), renderError);
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
        const { steps, around } = stepsTo(segmentAt(root, command.scope), renderError);
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
        applyCommands(inner, root, router, snapshot, basePath);
        break;
      }
    }
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

/** Renders an error page; it sees the error on `ctx.error`. */
export function renderError<State>(
  ctx: Context<State>,
  route: Route<State>,
  error: unknown,
): Promise<Response> {
  ctx.error = error;
  return renderRoute(ctx, route, error instanceof HttpError ? error.status : 500);
}

/** The same command, below a path. */
export function below<State>(base: string, command: Command<State>): Command<State> {
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
