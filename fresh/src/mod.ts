export { App } from "./server/app.ts";
export type { Context, PageProps } from "./server/context.ts";
export {
  createDefine,
  type Define,
  type HandlerByMethod,
  type HandlerFn,
  type Method,
  type Middleware,
  page,
  type PageResponse,
  type RouteHandler,
} from "./server/define.ts";
export { HttpError } from "./server/error.ts";
export {
  csp,
  type CSPOptions,
  csrf,
  type CsrfOptions,
  trailingSlashes,
} from "./server/middlewares.ts";
export { staticFiles } from "./server/static_files.ts";
