import { Fragment, toChildArray, type VNode } from "preact";
import type { Replacements } from "./vnodes.ts";

/**
 * The elements that `<Head>` components add to the document's head. The last one of a kind wins:
 * titles, metas with the same name or property, and elements with the same `key` or `id`.
 */
export class HeadElements {
  #elements = new Map<string, VNode>();
  #anonymous = 0;
  #replacements: Replacements;

  constructor(replacements: Replacements) {
    this.#replacements = replacements;
  }

  /** Collects the children of a `<Head>`, which itself renders nothing. */
  collect(vnode: VNode): void {
    const { children } = vnode.props as { children?: unknown };
    for (const child of toChildArray(children as VNode[])) {
      if (typeof child !== "object") continue;
      this.#elements.set(identity(child) ?? `#${this.#anonymous++}`, child);
    }
    this.#remove(vnode);
  }

  /** Removes an element of the app wrapper's head when a `<Head>` replaces it. */
  removeReplaced(vnode: VNode): void {
    if (this.#elements.size === 0) return;
    const id = identity(vnode);
    if (id !== null && this.#elements.has(id)) this.#remove(vnode);
  }

  render(toString: (vnode: VNode) => string): string {
    return [...this.#elements.values()].map(toString).join("");
  }

  #remove(vnode: VNode): void {
    this.#replacements.replace(vnode, Fragment, { children: null });
  }
}

function identity(vnode: VNode): string | null {
  const { type, key } = vnode;
  const props = vnode.props as Record<string, unknown>;
  if (type === "title") return "title";
  if (key !== null && key !== undefined) return `${type}:key:${key}`;
  if (props.id !== undefined) return `${type}:id:${props.id}`;
  if (type === "meta") {
    const name = props.name ?? props.property;
    if (name !== undefined) return `meta:${name}`;
  }
  return null;
}
