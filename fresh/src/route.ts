import type { VNode } from "preact";
import type { Context } from "./context.ts";
import { HttpError } from "./error.ts";
import { element, isAsyncComponent, pageProps } from "./render.ts";
import { METHODS } from "./router.ts";
import type { HandlerByMethod, HandlerFn, Method, Route, RouteConfig } from "./types.ts";

/** The methods that a route answers; a page without handlers is there to be read. */
export function allowedMethods<State>(
  route: Route<State> | undefined,
  config: RouteConfig,
): readonly Method[] {
  if (Array.isArray(config.methods)) return config.methods;
  if (route === undefined || typeof route.handler === "function") {
    return METHODS;
  }
  const methods = Object.keys(route.handler ?? {}) as Method[];
  if (route.component !== undefined && !methods.includes("GET")) {
    methods.push("GET");
  }
  return methods;
}

/** Runs a route's handler and renders its component with what the handler gave. */
export async function renderRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
  status = 200,
): Promise<Response> {
  const handler = handlerFor(route, ctx.req.method);
  let headers: HeadersInit | undefined;
  if (handler !== null) {
    const result = await handler(ctx);
    if (result instanceof Response) return result;
    ctx.data = result.data;
    headers = result.headers;
    status = result.status ?? status;
  } else if (route.component === undefined) {
    throw new HttpError(404);
  }

  let vnode: VNode | null = null;
  const { component } = route;
  if (isAsyncComponent<State>(component)) {
    const result = await component(pageProps(ctx));
    if (result instanceof Response) return result;
    vnode = result;
  } else if (component !== undefined) {
    vnode = element(component, pageProps(ctx));
  }
  return await ctx.render(vnode, { headers, status }, route.config);
}

function handlerFor<State>(route: Route<State>, method: string): HandlerFn<unknown, State> | null {
  const { handler } = route;
  if (handler === undefined) return null;
  if (typeof handler === "function") return handler;
  const byMethod = handler as HandlerByMethod<unknown, State>;
  const own = byMethod[method as Method];
  return own ?? (method === "HEAD" ? byMethod.GET ?? null : null);
}
