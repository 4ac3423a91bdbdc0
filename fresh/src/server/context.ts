/** The class `Context`, which handlers and middlewares receive, and the props of pages. */
import {
  type AnyComponent,
  Fragment,
  type FunctionComponent,
  h,
  isValidElement,
  type VNode,
} from "preact";
import type { Assets } from "../assets.ts";
import { renderPage } from "../render/page.ts";

/** The props of pages and the app wrapper. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<Context<State>, "url" | "req" | "params" | "info" | "state" | "error" | "route">
  & {
    data: Data;
    /** In the app wrapper: renders the content. */
    Component: FunctionComponent;
  };

// deno-lint-ignore no-explicit-any
type AsyncComponent<Props> = (props: Props) => Promise<VNode<any> | Response | null>;

/** A page or the app wrapper. An async function may return a response instead of JSX. */
export type RouteComponent<State> =
  // deno-lint-ignore no-explicit-any
  | AnyComponent<PageProps<any, State>>
  // deno-lint-ignore no-explicit-any
  | AsyncComponent<PageProps<any, State>>;

/** The package's own part of a context, not visible to the site. */
export interface Internals<State> {
  assets: Assets;
  app: RouteComponent<State> | null;
  /** The nonce of the rendered page's scripts and styles; empty without any. */
  nonce: string;
  /** The last promise of a response whose error is kept in `ctx.error`. */
  response: Promise<Response> | null;
  /** The middlewares and the route, and the index of the one that runs next. */
  steps: readonly ((ctx: Context<State>) => Response | Promise<Response>)[];
  index: number;
  /** Runs after the steps, if all of them pass the request on. */
  last: () => Promise<Response>;
}

/** Returns the package's own part of a context. */
export let internalsOf: <State>(ctx: Context<State>) => Internals<State>;

/** One request on its way through middlewares and routes. */
export class Context<State> {
  readonly req: Request;
  readonly info: Deno.ServeHandlerInfo;
  /** The pattern of the matched route; null when none matches. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  readonly state: State = {} as State;
  error: unknown | null = null;
  /** Calls the next middleware or the route. */
  next!: () => Promise<Response>;
  #url: URL | undefined;
  #internals: Internals<State>;

  static {
    internalsOf = (ctx) => ctx.#internals;
  }

  constructor(
    { req, info, route, params, internals }:
      & Pick<Context<State>, "req" | "info" | "route" | "params">
      & { internals: Internals<State> },
  ) {
    this.req = req;
    this.info = info;
    this.route = route;
    this.params = params;
    this.#internals = internals;
  }

  /** The request's URL with double slashes in its path collapsed; created on first use. */
  get url(): URL {
    if (this.#url === undefined) {
      this.#url = new URL(this.req.url);
      const { pathname } = this.#url;
      if (pathname.includes("//")) this.#url.pathname = pathname.replace(/\/+/g, "/");
    }
    return this.#url;
  }

  /**
   * Creates a redirect. Double slashes in a path are collapsed, so `//host` stays on this site;
   * absolute URLs to other hosts are not prevented.
   */
  redirect(pathOrUrl: string, status = 302): Response {
    const location = pathOrUrl.replace(/^\/[^?#]*/, (path) => path.replace(/\/+/g, "/"));
    return new Response(null, { status, headers: { location } });
  }

  // deno-lint-ignore no-explicit-any
  json(content: any, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /** Renders JSX inside the app wrapper. */
  // deno-lint-ignore no-explicit-any
  async render(vnode: VNode<any> | null, init: ResponseInit = {}): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("ctx.render() takes JSX or null.");
    }
    const { app, assets } = this.#internals;
    if (app === null) throw new Error("Pages need an app wrapper: routes/_app.tsx.");
    let content: VNode | null = vnode;
    const wrapper = await vnodeOf(app, pageProps(this, null, () => content));
    if (wrapper instanceof Response) return wrapper;
    const { html, nonce } = renderPage(
      vnode ?? h(Fragment, null),
      (rendered) => {
        content = rendered;
        return wrapper ?? h(Fragment, null);
      },
      assets,
      this.url,
    );
    this.#internals.nonce = nonce;
    const headers = new Headers(init.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(html, { ...init, headers });
  }
}

/** Creates the vnode of a page or the app wrapper. An async function is called for it. */
export async function vnodeOf<State>(
  component: RouteComponent<State>,
  props: PageProps<unknown, State>,
  // deno-lint-ignore no-explicit-any
): Promise<VNode<any> | Response | null> {
  return isAsync(component) ? await component(props) : h(component, props);
}

function isAsync<Props>(
  component: AnyComponent<Props> | AsyncComponent<Props>,
): component is AsyncComponent<Props> {
  return component.constructor.name === "AsyncFunction";
}

/**
 * Creates the props of a page or the app wrapper. They are plain values: a getter in the
 * literal would give each object its own hidden class, which keeps pages alive past young GCs.
 */
export function pageProps<State>(
  ctx: Context<State>,
  data: unknown,
  Component: FunctionComponent = () => null,
): PageProps<unknown, State> {
  const { url, req, params, info, state, error, route } = ctx;
  return { url, req, params, info, state, error, route, data, Component };
}
