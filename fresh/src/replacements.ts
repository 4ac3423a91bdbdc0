import type { VNode } from "preact";

/**
 * What a render replaces in vnodes. A vnode may be made once and rendered for many pages, so
 * everything is put back when a render is over.
 */
export class Replacements {
  #originals: [vnode: VNode, type: VNode["type"], props: VNode["props"]][] = [];

  replace(vnode: VNode, type: unknown, props: object): void {
    this.#originals.push([vnode, vnode.type, vnode.props]);
    vnode.type = type as VNode["type"];
    vnode.props = props as VNode["props"];
  }

  restore(): void {
    for (const [vnode, type, props] of this.#originals.reverse()) {
      vnode.type = type;
      vnode.props = props;
    }
    this.#originals = [];
  }
}
