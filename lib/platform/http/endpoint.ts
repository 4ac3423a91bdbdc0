import type { Context, Method } from "fresh";
import { RequestError } from "./errors.ts";

export type EndpointHandler<State, Result = Response> = (
  ctx: Context<State>,
) => Result | Promise<Result>;

/**
 * Returns a handler for all methods: unsupported ones return 405 with `Allow`, `OPTIONS` returns 204
 * with `Allow`, and `HEAD` falls back to `GET`.
 */
export function endpoint<State, Result = Response>(
  handlers: Partial<Record<Method, EndpointHandler<State, Result>>>,
): EndpointHandler<State, Result | Response> {
  const methods = Object.keys(handlers);
  if (handlers.GET !== undefined && handlers.HEAD === undefined) methods.push("HEAD");
  const allow = methods.join(", ");
  return (ctx) => {
    const method = ctx.req.method as Method;
    const handler = handlers[method] ?? (method === "HEAD" ? handlers.GET : undefined);
    if (handler !== undefined) return handler(ctx);
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
    throw new RequestError(405, undefined, { headers: { allow } });
  };
}
