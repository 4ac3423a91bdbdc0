/** The `<Head>` component on the server. */
import { Fragment, h, type VNode } from "preact";
import { headIdentity } from "../client/head.ts";
import { Head } from "../runtime.ts";
import type { Replacements } from "./vnodes.ts";

/** The elements that `<Head>` moves to the document's head. */
const TYPES = new Set<unknown>(
  "title meta link script style base noscript template".split(" "),
);

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

  /**
   * Receives each vnode right before it is rendered, and changes those that belong to the head.
   *
   * @param live Whether an island renders it: its keys are written to the page for the browser
   */
  visit(vnode: VNode, live: boolean): void {
    const { type, key } = vnode;
    const props = vnode.props as Record<string, unknown>;
    if (type === Head) {
      this.#depth++;
      const children = [props.children, h(this.#End, null)];
      this.#replacements.replace(vnode, Fragment, { children });
    } else if (type === "head" || type === "body") {
      this.#inDocumentHead = type === "head";
    } else if ((this.#depth > 0 || this.#inDocumentHead) && TYPES.has(type)) {
      const html = (props.dangerouslySetInnerHTML as { __html: string } | undefined)?.__html;
      const identity = headIdentity(
        type as string,
        key,
        Object.entries({ ...props, dangerouslySetInnerHTML: html }),
      );
      if (this.#depth > 0) {
        const own = live && key != null ? { ...props, "data-key": key } : props;
        this.#elements.set(identity, h(type as string, own));
        this.#replacements.replace(vnode, Fragment, { children: null });
      } else if (this.#elements.has(identity)) {
        this.#replacements.replace(vnode, type, this.#elements.get(identity)!.props);
        this.#elements.delete(identity);
      }
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
