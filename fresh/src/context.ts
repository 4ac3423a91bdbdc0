import { type FunctionComponent, isValidElement, type VNode } from "preact";
import { renderPage } from "./render.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Surroundings } from "./segment.ts";
import type { LayoutConfig, ResolvedFreshConfig } from "./types.ts";

/** What the package itself keeps of a request; not for the site. */
export interface Internals<State> {
  around: Surroundings<State>;
  snapshot: Snapshot<State>;
  /** Of the rendered page's scripts and styles, for `csp()`; empty where there are none. */
  nonce: string;
}

/** The package's own part of a context. */
export let internalsOf: <State>(ctx: Context<State>) => Internals<State>;

const ENCODER = new TextEncoder();
const HTML = "text/html; charset=utf-8";

/** One request on its way through middlewares and routes. */
export class Context<State> {
  readonly config: ResolvedFreshConfig;
  readonly req: Request;
  /** The matched route's pattern. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  readonly state: State = {} as State;
  readonly info: Deno.ServeHandlerInfo;
  /** What the handler gave to the page. */
  data: unknown = undefined;
  error: unknown | null = null;
  /** Calls the next middleware or the route. */
  next: () => Promise<Response>;
  /** In layouts and the app wrapper: what is inside. */
  Component!: FunctionComponent;
  #url: URL | undefined;
  #internals: Internals<State>;

  static {
    internalsOf = (ctx) => ctx.#internals;
  }

  constructor(
    req: Request,
    info: Deno.ServeHandlerInfo,
    config: ResolvedFreshConfig,
    route: string | null,
    params: Record<string, string>,
    next: () => Promise<Response>,
    snapshot: Snapshot<State>,
    around: Surroundings<State>,
  ) {
    this.req = req;
    this.info = info;
    this.config = config;
    this.route = route;
    this.params = params;
    this.next = next;
    this.#internals = { snapshot, around, nonce: "" };
  }

  /** The request's address; made when first asked for, since many answers never need it. */
  get url(): URL {
    return this.#url ??= requestUrl(this.req, this.config);
  }

  /** Always false: partial navigation is not part of this package. */
  get isPartial(): boolean {
    return false;
  }

  /**
   * A redirect. Doubled slashes in a path are collapsed, so that `//host` stays on this site; it
   * is no guard against other hosts in absolute URLs.
   */
  redirect(pathOrUrl: string, status = 302): Response {
    const end = pathOrUrl.search(/[?#]/);
    const path = end < 0 ? pathOrUrl : pathOrUrl.slice(0, end);
    const location = path.startsWith("/")
      ? path.replace(/\/+/g, "/") + pathOrUrl.slice(path.length)
      : pathOrUrl;
    return new Response(null, { status, headers: { location } });
  }

  /** Renders JSX inside the layouts and the app wrapper that hold here. */
  render(
    // deno-lint-ignore no-explicit-any
    vnode: VNode<any> | null,
    init: ResponseInit = {},
    config: LayoutConfig = {},
  ): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("ctx.render() takes JSX or null.");
    }
    const { app, layouts } = this.#internals.around;
    return renderPage(this, vnode, init, {
      app: config.skipAppWrapper ? null : app,
      layouts: config.skipInheritedLayouts ? [] : layouts,
    });
  }

  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  html(content: string, init?: ResponseInit): Response {
    const headers = new Headers(init?.headers);
    headers.set("Content-Type", HTML);
    return new Response(content, { ...init, headers });
  }

  // deno-lint-ignore no-explicit-any
  json(content: any, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /** Streams what an iterable yields; strings are encoded as UTF-8. */
  stream<U extends string | Uint8Array>(
    stream:
      | Iterable<U>
      | AsyncIterable<U>
      | (() => Iterable<U> | AsyncIterable<U>),
    init?: ResponseInit,
  ): Response {
    const source = typeof stream === "function" ? stream() : stream;
    const body = ReadableStream.from(source).pipeThrough(
      new TransformStream<U, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(typeof chunk === "string" ? ENCODER.encode(chunk) : chunk);
        },
      }),
    );
    return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>, init);
  }
}

function requestUrl(req: Request, config: ResolvedFreshConfig): URL {
  const url = new URL(req.url);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  if (config.trustProxy) {
    const proto = req.headers.get("x-forwarded-proto")?.split(",")[0].trim();
    const host = req.headers.get("x-forwarded-host")?.split(",")[0].trim();
    if (proto !== undefined) url.protocol = proto;
    if (host !== undefined) url.host = host;
  }
  return url;
}
