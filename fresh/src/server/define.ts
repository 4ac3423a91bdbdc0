/** The types of handlers and middlewares, and the functions that sites define them with. */
import type { AnyComponent } from "preact";
import type { Context, PageProps } from "./context.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The HTTP methods that a route can handle. */
export type Method = typeof METHODS[number];

/** Returns a response, or passes the request on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** Data for the page component, created by {@linkcode page}. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit;
  status?: number;
}

/** Returns a response, or data for the page component. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

/**
 * Passes data from a handler to its page component, with an optional status and headers. The component
 * gets `undefined` for `null`.
 */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page<T>(
  data?: T,
  { headers, status }: { headers?: HeadersInit; status?: number } = {},
): PageResponse<T> {
  return { data: (data ?? undefined) as T, headers, status };
}

/** Functions that return their argument and give it its types. */
export interface Define<State> {
  handlers<Data, Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>>(
    handlers: Handlers,
  ): typeof handlers;

  page<
    // deno-lint-ignore no-explicit-any
    Handler extends RouteHandler<any, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;

  /** For the app wrapper. */
  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;

  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
}

/** Creates the typing functions for one `State`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}
