/** Islands on the server: the markers around them, and the scripts and props that pages load. */
import { type ComponentChildren, type ComponentType, Fragment, h, type VNode } from "preact";
import { type Assets, CLIENT, type Island, RELOAD, scriptPaths, SIGNALS } from "../assets.ts";
import { type Props, serializeProps, withSlots } from "./props.ts";
import type { Replacements } from "./vnodes.ts";

/** The islands of one page: found during the render, then loaded by a script at its end. */
export class PageIslands {
  #assets: Assets;
  #replacements: Replacements;
  #used = new Set<Island>();
  #props: { island: string; props: Props }[] = [];
  #slots: VNode[] = [];
  #renderedSlots = new Set<number>();
  /** True if an island is being rendered: islands inside it belong to it. */
  rendering = false;

  constructor(assets: Assets, replacements: Replacements) {
    this.#assets = assets;
    this.#replacements = replacements;
  }

  /** Wraps an island's vnode in its markers; ignores other vnodes. */
  wrap(vnode: VNode): void {
    if (this.rendering) return;
    const island = this.#assets.islands.get(vnode.type as ComponentType);
    if (island === undefined) return;
    const { props, key } = vnode;
    this.#replacements.replace(vnode, this.#Boundary, { island, props, islandKey: key });
  }

  /** Returns the end of the body (scripts and hidden slots) and the preloads for the head. */
  finish(
    toString: (vnode: VNode) => string,
    makeNonce: () => string,
  ): { scripts: string; preloads: string } {
    const pathsOf = (module: string) => scriptPaths(this.#assets, module);
    let scripts = this.#assets.mode === "production"
      ? ""
      : `<script type="module" nonce="${makeNonce()}" src="${pathsOf(RELOAD).own}"></script>`;
    if (this.#used.size === 0) return { scripts, preloads: "" };

    // The array grows during the loop: an island in a slot may have slots of its own.
    for (let id = 0; id < this.#slots.length; id++) {
      if (this.#renderedSlots.has(id)) continue;
      scripts += `<template id="frsh-slot-${id}">${toString(this.#slots[id])}</template>`;
    }
    const slotId = (vnode: VNode) => this.#slots.indexOf(vnode);
    const { expression, needs } = serializeProps(this.#props, slotId);
    const islands = [...this.#used];
    const client = pathsOf(CLIENT);
    const parts = { slots: client, signals: pathsOf(SIGNALS) };
    const names = Map.groupBy(islands, ({ module }) => pathsOf(module).own);
    const imports = [
      `import{boot}from"${client.own}";`,
      ...[...names].map(([path, list]) => `import{${list.map(({ name }) => name)}}from"${path}";`),
      ...needs.map((name) => `import*as ${name} from"${parts[name].own}";`),
    ];
    scripts += `<script type="module" nonce="${makeNonce()}">${imports.join("")}` +
      `boot({${islands.map(({ name }) => name).join()}},${expression})</script>`;
    const loaded = [
      client,
      ...islands.map(({ module }) => pathsOf(module)),
      ...needs.map((name) => parts[name]),
    ];
    const preloads = [...new Set(loaded.flatMap(({ own, imported }) => [own, ...imported]))]
      .map((path) => `<link rel="modulepreload" href="${path}">`).join("");
    return { scripts, preloads };
  }

  #Boundary = (
    { island, props, islandKey }: { island: Island; props: Props; islandKey: unknown },
  ) => {
    const own = withSlots(props, (content) => {
      const slot = h(this.#Slot, { id: this.#slots.length, content }) as unknown as VNode;
      this.#slots.push(slot);
      return slot;
    });
    this.#used.add(island);
    const index = this.#props.push({ island: island.name, props: own }) - 1;
    // Encoded, so that a key can neither end the comment nor contain the field separator.
    const key = encodeURIComponent(String(islandKey ?? ""));
    const marker = `frsh:island:${island.name}:${index}:${key}`;
    return this.#enclosed(marker, h(island.component, own), true);
  };

  /** Renders server JSX in an island's props; the browser receives it as HTML. */
  #Slot = ({ id, content }: { id: number; content: ComponentChildren }) => {
    this.#renderedSlots.add(id);
    return this.#enclosed(`frsh:slot:${id}`, content, false);
  };

  /** Puts the content of an island or a slot between its markers, in the form that precompiled JSX has. */
  #enclosed(marker: string, content: ComponentChildren, inIsland: boolean): VNode {
    const outer = this.rendering;
    this.rendering = inIsland;
    const tpl = [`<!--${marker}-->`, inIsland ? "<!--/frsh:island-->" : "<!--/frsh:slot-->"];
    return h(Fragment, { tpl, exprs: [[content, h(this.#End, { inIsland: outer })]] } as object);
  }

  /** Is rendered after its preceding siblings, so it marks the end of an island or slot. */
  #End = ({ inIsland }: { inIsland: boolean }) => {
    this.rendering = inIsland;
    return null;
  };
}
