import type {
  AnyComponent,
  ComponentType,
  FunctionComponent,
  RenderableProps,
  VNode,
} from "preact";
import type { Context } from "./context.ts";

/** HTTP methods that a route can answer. */
export type Method =
  | "HEAD"
  | "GET"
  | "POST"
  | "PATCH"
  | "PUT"
  | "DELETE"
  | "OPTIONS";

/** A value that is made only when it is first needed. */
export type Lazy<T> = () => Promise<T>;
export type MaybeLazy<T> = T | Lazy<T>;

/** Options of an {@linkcode App}. */
export interface FreshConfig {
  /** Path below which the whole app lives, for example `/shop`. */
  basePath?: string;
  mode?: "development" | "production";
  /** Believe `X-Forwarded-Proto` and `X-Forwarded-Host` when making `ctx.url`. Default: false. */
  trustProxy?: boolean;
}

/** The options of an {@linkcode App} with every default filled in. */
export interface ResolvedFreshConfig {
  root: string;
  basePath: string;
  mode: "development" | "production";
  trustProxy: boolean;
}

/** Options of {@linkcode App.listen}. */
export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & { remoteAddress?: string };

/** A component that the browser brings to life. */
export interface Island {
  /** Address of its script, without the base path. */
  file: string;
  name: string;
  exportName: string;
  // deno-lint-ignore no-explicit-any
  fn: ComponentType<any>;
  css: string[];
}

export interface LayoutConfig {
  /** Leave out the layouts of the folders above. Default: false. */
  skipInheritedLayouts?: boolean;
  /** Leave out `_app`. Default: false. */
  skipAppWrapper?: boolean;
}

/** What a route file may export as `config`. */
export interface RouteConfig extends LayoutConfig {
  /** A pattern that replaces the one made from the file's name. */
  routeOverride?: string;
  csp?: boolean;
  methods?: "ALL" | Method[];
}

/** What pages, layouts and the app wrapper are given. */
export type PageProps<Data = unknown, T = unknown> =
  & Pick<
    Context<T>,
    | "config"
    | "url"
    | "req"
    | "params"
    | "info"
    | "state"
    | "isPartial"
    | "Component"
    | "error"
    | "route"
  >
  & { data: Data };

/** A component that waits for something before it answers with JSX or with a response. */
export type AsyncAnyComponent<P> = {
  // deno-lint-ignore no-explicit-any
  (props: RenderableProps<P>, context?: any): Promise<VNode<any> | Response | null>;
  displayName?: string;
  defaultProps?: Partial<P> | undefined;
};

export type RouteComponent<State> =
  // deno-lint-ignore no-explicit-any
  | AsyncAnyComponent<PageProps<any, State>>
  // deno-lint-ignore no-explicit-any
  | AnyComponent<PageProps<any, State>>;

/** Data for the page component, made by {@linkcode page}. */
export interface PageResponse<T> {
  data: T;
  headers?: HeadersInit;
  status?: number;
}

/** Answers a request itself, or hands data to the page component. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>):
    | Response
    | PageResponse<Data>
    | Promise<Response | PageResponse<Data>>;
}

export type HandlerByMethod<Data, State> = {
  [M in Method]?: HandlerFn<Data, State>;
};

export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | HandlerByMethod<Data, State>;

/** The data type that a handler gives to its page. */
export type RouteData<Handler extends RouteHandler<unknown, unknown>> = Handler extends
  (RouteHandler<infer Data, unknown>) ? Data : never;

/** A route as {@linkcode App.route} takes it. */
export interface Route<State> {
  component?: RouteComponent<State>;
  config?: RouteConfig;
  // deno-lint-ignore no-explicit-any
  handler?: RouteHandler<any, State>;
  css?: string[];
}

/** A step on a request's way: answers, or passes on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** @deprecated Upstream's older name of {@linkcode Middleware}. */
export type MiddlewareFn<State> = Middleware<State>;

export type MaybeLazyMiddleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response | Middleware<State>>;

/** A component or element tree that stands for what is inside a layout. */
export type Child = FunctionComponent;
