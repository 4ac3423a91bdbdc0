/** Helpers of the renderer that change, create and recognise vnodes. */
import { Fragment, h, isValidElement, type VNode } from "preact";

/**
 * Changes to vnodes during a render. A vnode may be created once and rendered for many pages, so
 * every change is undone afterwards.
 */
export class Replacements {
  #originals: [vnode: VNode, type: VNode["type"], props: VNode["props"]][] = [];

  replace(vnode: VNode, type: unknown, props: object): void {
    this.#originals.push([vnode, vnode.type, vnode.props]);
    vnode.type = type as VNode["type"];
    vnode.props = props as VNode["props"];
  }

  undo(): void {
    for (const [vnode, type, props] of this.#originals.reverse()) {
      vnode.type = type;
      vnode.props = props;
    }
    this.#originals = [];
  }
}

/** Wraps rendered HTML in a vnode, in the form that precompiled JSX has. */
export function rawHtml(html: string): VNode {
  return h(Fragment, { tpl: [html] } as object);
}

/**
 * Returns whether a value is JSX. For Preact, everything without a constructor is: also objects
 * without a prototype and, so that JSX may contain them, signals. Only real JSX has its own.
 */
export function isJsx(value: unknown): value is VNode {
  return isValidElement(value) && Object.hasOwn(value, "constructor");
}

const SIGNAL = Symbol.for("preact-signals");

/** Recognizes a signal by its brand, so that pages without signals need not load the library. */
export function isSignal(value: unknown): value is { peek(): unknown } {
  return typeof value === "object" && value !== null &&
    (value as { brand?: unknown }).brand === SIGNAL;
}
