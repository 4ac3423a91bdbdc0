import { Fragment, options, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Assets } from "../assets.ts";
import { Head } from "../runtime.ts";
import { HeadElements } from "./head.ts";
import { PageIslands } from "./islands.ts";
import { rawHtml, Replacements } from "./vnodes.ts";

/**
 * Renders a page to an HTML document. The content is rendered before the app wrapper, so that the
 * wrapper's head knows the content's `<Head>` elements and changes to the state.
 *
 * @param wrap Returns the app wrapper around the rendered content
 */
export function renderPage(
  content: VNode,
  wrap: (inner: VNode) => VNode,
  assets: Assets,
): { html: string; nonce: string } {
  const page = new PageRender(assets);
  let html = page.toString(wrap(rawHtml(page.toString(content))));
  const { scripts, preloads } = page.islands.finish(page.toString, page.makeNonce);
  html = insertBefore("</head>", html, page.head.render(page.toString) + preloads);
  html = insertBefore("</body>", html, scripts);
  return { html: "<!DOCTYPE html>" + html, nonce: page.nonce };
}

// Preact calls this option before it renders a vnode; the name is fixed by Preact's mangle.json.
type Hooks = { __b?: (vnode: VNode) => void };

/** The state of one page while it is rendered. */
class PageRender {
  nonce = "";
  readonly head: HeadElements;
  readonly islands: PageIslands;
  #replacements = new Replacements();
  #inHead = false;

  constructor(assets: Assets) {
    this.head = new HeadElements(this.#replacements);
    this.islands = new PageIslands(assets, this.#replacements);
  }

  makeNonce = (): string => this.nonce ||= crypto.randomUUID().replaceAll("-", "");

  toString = (vnode: VNode): string => {
    const hooks = options as Hooks;
    const outer = hooks.__b;
    hooks.__b = outer === undefined ? this.#before : (node) => {
      this.#before(node);
      outer(node);
    };
    try {
      return renderToString(vnode);
    } finally {
      hooks.__b = outer;
      this.#replacements.undo();
    }
  };

  /** Receives each vnode that is not precompiled HTML, right before it is rendered. */
  #before = (vnode: VNode): void => {
    const { type } = vnode;
    if (typeof type === "function") {
      if (type === Fragment) return;
      if (type === Head) this.head.collect(vnode);
      else this.islands.wrap(vnode);
      return;
    }
    if (type === "script" || type === "style") {
      if ((vnode.props as { nonce?: string }).nonce === undefined) {
        this.#replacements.replace(vnode, type, { ...vnode.props, nonce: this.makeNonce() });
      }
    } else if (type === "head") {
      this.#inHead = true;
    } else if (type === "body") {
      this.#inHead = false;
    }
    if (this.#inHead) this.head.removeReplaced(vnode);
  };
}

function insertBefore(tag: string, html: string, text: string): string {
  // Searching also flattens the string: without it, encoding the response takes twice the time.
  const at = tag === "</head>" ? html.indexOf(tag) : html.lastIndexOf(tag);
  if (at < 0) throw new Error(`The app wrapper has no ${tag}.`);
  return text === "" ? html : html.slice(0, at) + text + html.slice(at);
}
