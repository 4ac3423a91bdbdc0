/** The path of a request through an app, from its URL to the response or error. */
import { STATUS_CODES } from "node:http";
import type { Assets } from "../assets.ts";
import { Context, internalsOf } from "./context.ts";
import { HttpError } from "./error.ts";
import type { RouteTable } from "./route_table.ts";

/** For requests that come from no socket, in tests. */
const NO_CONNECTION = {
  localAddr: { transport: "tcp", hostname: "localhost", port: 8080 },
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
} as unknown as Deno.ServeHandlerInfo;

export type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Creates the function that handles an app's requests. */
export function createHandler<State>(table: RouteTable<State>, assets: Assets): Handler {
  const rootSteps = table.middlewaresTo("/");
  return (req, info = NO_CONNECTION) => {
    let pathname: string;
    try {
      pathname = pathnameOf(req.url);
    } catch {
      return Promise.resolve(new Response("Bad Request", { status: 400 }));
    }
    const method = req.method.toUpperCase();
    const match = table.match(method, pathname);
    const steps = match?.steps ?? rootSteps;
    const ctx = new Context<State>({
      req,
      info,
      route: match?.route.pattern ?? null,
      params: match?.params ?? {},
      internals: {
        assets,
        app: table.app,
        nonce: "",
        response: null,
        steps: [],
        index: 0,
        last: notFound,
      },
    });
    const last = match === null || match.steps !== undefined
      ? notFound
      : () => unsupportedMethod(method, match.route.byMethod.keys());
    const internals = internalsOf(ctx);
    internals.steps = steps;
    internals.last = last;
    ctx.next = nextStep;
    return ctx.next().then((response) => {
      internals.response = null; // the context outlives its response, and would keep the page
      return checked(response, method);
    }, errorResponse);
  };
}

function checked(response: Response, method: string): Response {
  if (!(response instanceof Response)) {
    return errorResponse(new TypeError(`A handler returned ${response} instead of a Response.`));
  }
  return method === "HEAD" ? withoutBody(response) : response;
}

const NULL_BODY_STATUSES = [101, 204, 205, 304];

/**
 * Removes the body of the response to a HEAD. Deno sends `Content-Length: 0` if there is none, so a response whose
 * length is not known gets a stream that has ended.
 */
function withoutBody(response: Response): Response {
  response.body?.cancel().catch(() => {});
  const isKnown = response.headers.has("content-length") ||
    NULL_BODY_STATUSES.includes(response.status);
  return new Response(isKnown ? null : ReadableStream.from([]), response);
}

/** Runs the next step of a request. A closure for each step would keep requests alive for long. */
function nextStep<State>(this: Context<State>): Promise<Response> {
  const internals = internalsOf(this);
  const step = internals.steps[internals.index++];
  if (step === undefined) return keepError(this, internals.last());
  try {
    const result = step(this);
    return result instanceof Promise ? keepError(this, result) : Promise.resolve(result);
  } catch (error) {
    return keepError(this, Promise.reject(error));
  }
}

/**
 * Sets `ctx.error` before a middleware that awaits the response can catch the error. A middleware
 * that returns the promise of `ctx.next()` unchanged cannot have another error.
 */
function keepError<State>(ctx: Context<State>, response: Promise<Response>): Promise<Response> {
  const internals = internalsOf(ctx);
  if (response !== internals.response) {
    internals.response = response;
    response.catch((error) => ctx.error = error);
  }
  return response;
}

const PLAIN_PATH = /^https?:\/\/[^/?#]+(\/[\w.~!$&'()*+,;=:@%/-]*)(?=[?#]|$)/;

/** Returns a URL's normalized path. Parsing the whole URL is slow, so plain paths skip it. */
function pathnameOf(url: string): string {
  const plain = PLAIN_PATH.exec(url)?.[1];
  if (plain !== undefined && !/\/\/|\/\.|%2e/i.test(plain)) return plain;
  return new URL(url).pathname.replace(/\/+/g, "/");
}

function notFound(): Promise<Response> {
  return Promise.reject(new HttpError(404));
}

/** Answers OPTIONS with the route's methods; rejects other methods with 405 and `Allow`. */
function unsupportedMethod(method: string, methods: Iterable<string>): Promise<Response> {
  const handled = new Set(methods);
  if (handled.has("GET")) handled.add("HEAD");
  const allow = [...handled].join(", ");
  return method === "OPTIONS"
    ? Promise.resolve(new Response(null, { status: 204, headers: { allow } }))
    : Promise.reject(new HttpError(405, undefined, { cause: { allow } }));
}

/** Returns the response to an error that the site doesn't handle, and logs server errors. */
function errorResponse(error: unknown): Response {
  if (error instanceof HttpError && error.status < 500) {
    const { allow } = (error.cause ?? {}) as { allow?: string };
    const headers: HeadersInit = allow === undefined ? {} : { allow };
    const { message, status } = error;
    return new Response(message || STATUS_CODES[status], { status, headers });
  }
  console.error(error);
  const status = error instanceof HttpError ? error.status : 500;
  return new Response("Internal server error", { status });
}
