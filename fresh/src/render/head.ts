import { Fragment, h, type VNode } from "preact";
import { headIdentity } from "../client/head.ts";
import { Head } from "../runtime.ts";
import type { Replacements } from "./vnodes.ts";

/** The elements that `<Head>` moves to the document's head. */
const TYPES = new Set<unknown>([
  "title",
  "meta",
  "link",
  "script",
  "style",
  "base",
  "noscript",
  "template",
]);

/** The elements that `<Head>` components add to the document's head. The last one of a kind wins. */
export class HeadElements {
  #elements = new Map<string, VNode>();
  #replacements: Replacements;
  /** How many `<Head>` components are open. */
  #depth = 0;
  #inDocumentHead = false;

  constructor(replacements: Replacements) {
    this.#replacements = replacements;
  }

  /** Receives each vnode right before it is rendered, and changes those that belong to the head. */
  visit(vnode: VNode): void {
    const { type, key } = vnode;
    const props = vnode.props as Record<string, unknown>;
    if (type === Head) {
      this.#depth++;
      const children = [props.children, h(this.#End, null)];
      this.#replacements.replace(vnode, Fragment, { children });
    } else if (type === "head" || type === "body") {
      this.#inDocumentHead = type === "head";
    } else if (TYPES.has(type)) {
      if (this.#depth === 0 && !this.#inDocumentHead) return;
      const keyed = key === null || key === undefined ? props : { ...props, "data-key": key };
      const html = props.dangerouslySetInnerHTML as { __html: string } | undefined;
      const identity = headIdentity(
        type as string,
        key,
        Object.entries({ ...props, dangerouslySetInnerHTML: html?.__html }),
      );
      if (this.#depth > 0) {
        this.#elements.set(identity, h(type as string, keyed));
        this.#replacements.replace(vnode, Fragment, { children: null });
        return;
      }
      const own = this.#elements.get(identity)?.props ?? keyed;
      this.#elements.delete(identity);
      if (own !== props) this.#replacements.replace(vnode, type, own);
    }
  }

  /** Renders the elements that have not replaced one of the document's head. */
  render(toString: (vnode: VNode) => string): string {
    return [...this.#elements.values()].map(toString).join("");
  }

  /** Is rendered after its preceding siblings, so it marks the end of a `<Head>`. */
  #End = () => {
    this.#depth--;
    return null;
  };
}
