import { type ComponentType, Fragment, h, options, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Context, internalsOf } from "./context.ts";
import { HeadElements } from "./head.ts";
import { PageIslands } from "./islands.ts";
import { Replacements } from "./replacements.ts";
import { Head } from "./runtime.ts";
import type { Surroundings } from "./segment.ts";
import type { AsyncAnyComponent, PageProps, RouteComponent } from "./types.ts";

// Preact's option that runs before a vnode is rendered; its name is fixed by Preact's mangle.json.
type Hooks = { __b?: (vnode: VNode) => void };

/** Everything that is known of one page while it is rendered. */
class PageRender {
  nonce = "";
  replacements = new Replacements();
  head = new HeadElements(this.replacements);
  islands: PageIslands;
  /** Between `<head>` and `<body>` of the app wrapper. */
  inHead = false;

  constructor(ctx: Context<unknown>) {
    this.islands = new PageIslands(internalsOf(ctx).snapshot.islands, this.replacements);
  }

  makeNonce(): string {
    return this.nonce ||= crypto.randomUUID().replaceAll("-", "");
  }

  /** Sees each vnode that is not precompiled markup, right before it is rendered. */
  before = (vnode: VNode): void => {
    const { type } = vnode;
    if (typeof type === "function") {
      if (type === Fragment) return;
      if (type === Head) this.head.collect(vnode);
      else this.islands.wrap(vnode);
      return;
    }
    if (type === "script" || type === "style") {
      if ((vnode.props as { nonce?: string }).nonce === undefined) {
        this.replacements.replace(vnode, type, { ...vnode.props, nonce: this.makeNonce() });
      }
    } else if (type === "head") {
      this.inHead = true;
    } else if (type === "body") {
      this.inHead = false;
    }
    if (this.inHead) this.head.dropReplaced(vnode);
  };

  toString(vnode: VNode): string {
    const hooks = options as Hooks;
    const outer = hooks.__b;
    hooks.__b = outer === undefined ? this.before : (node) => {
      this.before(node);
      outer(node);
    };
    try {
      return renderToString(vnode);
    } finally {
      hooks.__b = outer;
      this.replacements.restore();
    }
  }
}

/** Renders a page with what surrounds it, to a response. */
export async function renderPage<State>(
  ctx: Context<State>,
  content: VNode | null,
  init: ResponseInit,
  around: Surroundings<State>,
): Promise<Response> {
  let vnode: VNode = content ?? h(Fragment, null);
  for (let i = around.layouts.length - 1; i >= 0; i--) {
    const wrapped = await surround(ctx, around.layouts[i], vnode);
    if (wrapped instanceof Response) return wrapped;
    vnode = wrapped;
  }

  // The page first, the wrapper around its markup after it: so the wrapper's head knows what the
  // page wants there, and what the page did to `ctx.state`.
  const render = new PageRender(ctx as Context<unknown>);
  let html = render.toString(vnode);
  if (around.app !== null) {
    const wrapped = await surround(ctx, around.app, markup(html));
    if (wrapped instanceof Response) return wrapped;
    html = render.toString(wrapped);
  }
  html = completed(html);

  const internals = internalsOf(ctx);
  const { basePath } = ctx.config;
  const tail = render.islands.tail(
    (node) => render.toString(node),
    (path) => basePath + path,
    internals.snapshot,
    () => render.makeNonce(),
  );
  const lead = render.head.render((node) => render.toString(node)) +
    tail.preloads;
  html = insert(html, "</head>", lead, html.indexOf("</head>"));
  html = insert(html, "</body>", tail.html, html.lastIndexOf("</body>"));

  const headers = new Headers(init.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  internals.nonce = render.nonce;
  return new Response("<!DOCTYPE html>" + html, {
    status: init.status ?? 200,
    statusText: init.statusText,
    headers,
  });
}

async function surround<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  inner: VNode,
): Promise<VNode | Response> {
  const props = pageProps(ctx, () => inner);
  ctx.Component = props.Component;
  if (isAsyncComponent<State>(component)) {
    return await component(props) ?? h(Fragment, null);
  }
  return element(component, props);
}

/** A component's vnode, where its props' type is the route's own affair. */
export function element<State>(
  component: RouteComponent<State>,
  props: PageProps<unknown, State>,
): VNode {
  return h(component as ComponentType, props as object);
}

/**
 * What a page, a layout or the app wrapper is given. Plain values: a getter in the literal would
 * give each object a hidden class of its own, and that keeps whole pages alive past young GCs.
 */
export function pageProps<State>(
  ctx: Context<State>,
  Component: () => VNode | null = () => null,
): PageProps<unknown, State> {
  return {
    config: ctx.config,
    url: ctx.url,
    req: ctx.req,
    params: ctx.params,
    info: ctx.info,
    state: ctx.state,
    isPartial: ctx.isPartial,
    Component,
    error: ctx.error,
    route: ctx.route,
    data: ctx.data,
  };
}

/** Async components are awaited; Preact renders the others itself, so that they may use hooks. */
export function isAsyncComponent<State>(
  component: unknown,
): component is AsyncAnyComponent<PageProps<unknown, State>> {
  return typeof component === "function" &&
    component.constructor.name === "AsyncFunction";
}

/** Rendered markup as a vnode, in the form that precompiled JSX has. */
function markup(html: string): VNode {
  return h(Fragment, { tpl: [html] } as object);
}

/** A whole document: comment markers need `<html>`, `<head>` and `<body>` to stay where they are. */
function completed(html: string): string {
  if (!html.includes("<body")) html = `<body>${html}</body>`;
  if (!html.includes("<head>") && !html.includes("<head ")) {
    html = html.includes("<html")
      ? html.replace(/<html[^>]*>/, `$&<head><meta charset="utf-8"></head>`)
      : `<head><meta charset="utf-8"></head>${html}`;
  }
  return html.includes("<html") ? html : `<html>${html}</html>`;
}

function insert(html: string, before: string, text: string, at: number): string {
  if (text === "") return html;
  if (at < 0) throw new Error(`The page has no ${before}.`);
  return html.slice(0, at) + text + html.slice(at);
}
