import { Fragment, toChildArray, type VNode } from "preact";
import type { Replacements } from "./replacements.ts";

/**
 * What `<Head>` components want in the document's head. The last one of a kind wins: titles, metas
 * of one name or property, and elements of one `key` or `id`.
 */
export class HeadElements {
  #elements = new Map<string, VNode>();
  #unnamed = 0;
  #replacements: Replacements;

  constructor(replacements: Replacements) {
    this.#replacements = replacements;
  }

  /** Takes a `<Head>`'s children; it renders nothing where it stands. */
  collect(vnode: VNode): void {
    const { children } = vnode.props as { children?: unknown };
    for (const child of toChildArray(children as VNode[])) {
      if (typeof child !== "object") continue;
      this.#elements.set(identity(child) ?? `#${this.#unnamed++}`, child);
    }
    this.#drop(vnode);
  }

  /** Leaves out an element of the wrapper's own head that a `<Head>` replaces. */
  dropReplaced(vnode: VNode): void {
    if (this.#elements.size === 0) return;
    const id = identity(vnode);
    if (id !== null && this.#elements.has(id)) this.#drop(vnode);
  }

  render(toString: (vnode: VNode) => string): string {
    let html = "";
    for (const vnode of this.#elements.values()) html += toString(vnode);
    return html;
  }

  #drop(vnode: VNode): void {
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
