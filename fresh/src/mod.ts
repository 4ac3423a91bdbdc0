export { App } from "./app.ts";
export type { Context } from "./context.ts";
export { createDefine, type Define, page } from "./define.ts";
export { HttpError } from "./error.ts";
export { cors, type CORSOptions } from "./middlewares/cors.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { csrf, type CsrfOptions } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export { trailingSlashes } from "./middlewares/trailing_slashes.ts";
export type {
  FreshConfig,
  HandlerByMethod,
  HandlerFn,
  Island,
  LayoutConfig,
  Lazy,
  ListenOptions,
  MaybeLazy,
  Method,
  Middleware,
  PageProps,
  PageResponse,
  ResolvedFreshConfig,
  RouteConfig,
  RouteData,
  RouteHandler,
} from "./types.ts";
