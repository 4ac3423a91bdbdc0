/** Renders pages on the server, with their head, islands and nonce. */
import { Fragment, options, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Assets } from "../assets.ts";
import { setBuildKey } from "../runtime.ts";
import { activeLinkProps, type PageUrl } from "./active_links.ts";
import { HeadElements } from "./head.ts";
import { PageIslands } from "./islands.ts";
import { isSignal, rawHtml, Replacements } from "./vnodes.ts";

/**
 * Renders a page to an HTML document. The content is rendered before the app wrapper, so that the
 * wrapper's head knows the content's `<Head>` elements and changes to the state.
 *
 * @param wrap Returns the app wrapper around the rendered content
 * @param url The page's URL, for its active links
 */
export function renderPage(
  content: VNode,
  // deno-lint-ignore no-explicit-any
  wrap: (inner: VNode) => VNode<any>,
  assets: Assets,
  url: PageUrl,
): { html: string; nonce: string } {
  setBuildKey(assets.key); // another app of this process may have set its own
  const page = new PageRender(assets, url);
  const inner = page.toString(content);
  // The content takes its place last, because each search in a long text copies it.
  let html = page.toString(wrap(rawHtml(PLACE)));
  const { scripts, preloads } = page.islands.finish(page.toString, page.makeNonce);
  html = insertBefore("</head>", html, page.head.render(page.toString) + preloads);
  html = insertBefore("</body>", html, scripts);
  return { html: "<!DOCTYPE html>" + html.replaceAll(PLACE, () => inner), nonce: page.nonce };
}

/** Holds the place of the content in the app wrapper. Text cannot contain it, because its `<` is escaped. */
const PLACE = "<!--frsh:content-->";

// Preact calls these options before it renders a vnode, and before it calls a component. The names are fixed by
// Preact's mangle.json.
type Hooks = { __b?: (vnode: VNode) => void; __r?: (vnode: ComponentVNode) => void };

/**
 * A vnode with its component, which has `__f` once it has a function that decides about updates for its hooks, and
 * `__$u` once it has an effect that updates it after changes of signals.
 */
type ComponentVNode = VNode & { __c: { __f?: boolean; __$u?: typeof NO_EFFECT } };

/** Takes the place of effects, with their methods `_start` and `_dispose`. */
const NO_EFFECT = Object.freeze({ S: () => {}, d: () => {} });

/** The state of one page while it is rendered. */
class PageRender {
  nonce = "";
  readonly head: HeadElements;
  readonly islands: PageIslands;
  #replacements = new Replacements();
  #url: PageUrl;

  constructor(assets: Assets, url: PageUrl) {
    this.#url = url;
    this.head = new HeadElements(this.#replacements);
    this.islands = new PageIslands(assets, this.#replacements);
  }

  makeNonce = (): string => this.nonce ||= crypto.randomUUID().replaceAll("-", "");

  toString = (vnode: VNode): string => {
    const hooks = options as Hooks;
    const { __b: outer, __r: outerCall } = hooks;
    hooks.__b = outer === undefined ? this.#before : (node) => {
      this.#before(node);
      outer(node);
    };
    hooks.__r = outerCall && ((node) => {
      // Nothing is updated on the server. The function of a component with state would keep the whole page alive
      // past young GCs, and creating an effect takes as long as rendering a small component. A signal among the
      // children needs an effect of its own.
      node.__c.__f = true;
      if (!isSignal(node)) node.__c.__$u = NO_EFFECT;
      outerCall(node);
    });
    try {
      return renderToString(vnode);
    } finally {
      hooks.__b = outer;
      hooks.__r = outerCall;
      this.#replacements.undo();
    }
  };

  /** Receives each vnode that is not precompiled HTML, right before it is rendered. */
  #before = (vnode: VNode): void => {
    this.head.visit(vnode, this.islands.rendering);
    const { type, props } = vnode as VNode<{ nonce?: string }>;
    if (typeof type === "function") {
      if (type !== Fragment) this.islands.wrap(vnode);
    } else if (type === "a") {
      const active = activeLinkProps(props, this.#url);
      if (active !== null) this.#replacements.replace(vnode, type, active);
    } else if ((type === "script" || type === "style") && props.nonce === undefined) {
      this.#replacements.replace(vnode, type, { ...props, nonce: this.makeNonce() });
    }
  };
}

function insertBefore(tag: string, html: string, text: string): string {
  const at = tag === "</head>" ? html.indexOf(tag) : html.lastIndexOf(tag);
  if (at < 0) throw new Error(`The app wrapper has no ${tag}.`);
  return text === "" ? html : html.slice(0, at) + text + html.slice(at);
}
