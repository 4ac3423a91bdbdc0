import type { AnyComponent } from "preact";
import type {
  HandlerByMethod,
  HandlerFn,
  Middleware,
  PageProps,
  PageResponse,
  RouteHandler,
} from "./types.ts";

/**
 * Hands data from a handler to its page component, with a status and headers if wished.
 *
 * @example
 * ```ts
 * export const handler = define.handlers({ GET: () => page({ name: "Ada" }) });
 * ```
 */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T>;
export function page(): PageResponse<undefined>;
export function page<T>(
  data?: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T> {
  return {
    data: data as T,
    headers: options?.headers,
    status: options?.status,
  };
}

/** Identity functions that give the parts of a site their types. */
export interface Define<State> {
  handlers<
    Data,
    Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>,
  >(handlers: Handlers): typeof handlers;

  page<
    // deno-lint-ignore no-explicit-any
    Handler extends RouteHandler<any, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: AnyComponent<PageProps<Data, State>>): typeof render;

  layout(render: AnyComponent<PageProps<unknown, State>>): typeof render;

  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;
}

/**
 * Makes the typed identity functions for one `State`.
 *
 * @example
 * ```ts
 * export const define = createDefine<{ user: string }>();
 * ```
 */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    layout: (render) => render,
    middleware: (middleware) => middleware,
  };
}
