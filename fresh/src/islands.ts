import { type ComponentChildren, type ComponentType, Fragment, h, type VNode } from "preact";
import { serialise, withSlots } from "./props.ts";
import type { Replacements } from "./replacements.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Island } from "./types.ts";

/** A piece of server JSX inside an island: it travels as the markup that it renders to. */
export interface SlotProps {
  id: number;
  content: ComponentChildren;
}

/** The islands of one page: found while it renders, then brought to the browser by its tail. */
export class PageIslands {
  // deno-lint-ignore no-explicit-any
  #known: Map<ComponentType<any>, Island>;
  #replacements: Replacements;
  #used = new Set<Island>();
  #props: { island: string; props: Record<string, unknown> }[] = [];
  #slots: VNode[] = [];
  #renderedSlots = new Set<number>();
  /** True while an island renders: what it renders itself belongs to it and is no island more. */
  #inside = false;

  // deno-lint-ignore no-explicit-any
  constructor(known: Map<ComponentType<any>, Island>, replacements: Replacements) {
    this.#known = known;
    this.#replacements = replacements;
  }

  /** Puts an island's vnode between its markers. */
  wrap(vnode: VNode): void {
    if (this.#inside) return;
    const island = this.#known.get(vnode.type as ComponentType);
    if (island === undefined) return;
    const { props, key } = vnode;
    this.#replacements.replace(vnode, this.#Boundary, {
      island,
      props,
      // Nothing in a key may end the comment that it stands in, nor look like another field.
      name: encodeURIComponent(key ?? ""),
    });
  }

  /** What stands before `</body>` (scripts, slots not shown) and in the head (preloads). */
  tail(
    toString: (vnode: VNode) => string,
    address: (path: string) => string,
    snapshot: Pick<Snapshot<unknown>, "client" | "reload">,
    nonce: () => string,
  ): { html: string; preloads: string } {
    let html = snapshot.reload
      ? `<script type="module" nonce="${nonce()}" src="${address(snapshot.client("reload"))}">` +
        "</script>"
      : "";
    if (this.#used.size === 0) return { html, preloads: "" };

    // A slot's own islands may bring further slots: so no iterator over a fixed length.
    for (let id = 0; id < this.#slots.length; id++) {
      if (this.#renderedSlots.has(id)) continue;
      html += `<template id="frsh-slot-${id}">${toString(this.#slots[id])}</template>`;
    }
    const { imports, paths } = this.#imports(address, snapshot);
    const { expression, needs } = serialise(this.#props);
    html += `<script type="module" nonce="${nonce()}">` + imports +
      needs.map((name) => `import*as ${name} from"${address(snapshot.client(name))}";`).join("") +
      `boot({${[...this.#used].map((island) => island.name).join()}},${expression})</script>`;
    const preloads = [...paths, ...needs.map((name) => address(snapshot.client(name)))]
      .map((path) => `<link rel="modulepreload" href="${path}">`).join("");
    return { html, preloads };
  }

  #imports(address: (path: string) => string, snapshot: Pick<Snapshot<unknown>, "client">) {
    const boot = address(snapshot.client("boot"));
    const paths = new Set([boot]);
    let imports = `import{boot}from"${boot}";`;
    for (const { file, name, exportName } of this.#used) {
      paths.add(address(file));
      imports += `import{${exportName} as ${name}}from"${address(file)}";`;
    }
    return { imports, paths };
  }

  #Boundary = (
    { island, props, name }: {
      island: Island;
      props: Record<string, unknown>;
      name: string;
    },
  ) => {
    const own = withSlots(props, (content) => {
      const slot = h(this.#Slot, {
        id: this.#slots.length,
        content,
      }) as unknown as VNode;
      this.#slots.push(slot);
      return slot;
    });
    this.#used.add(island);
    const index = this.#props.push({ island: island.name, props: own }) - 1;
    this.#inside = true;
    return h(
      Fragment,
      null,
      comment(`frsh:island:${island.name}:${index}:${name}`),
      h(island.fn, own),
      h(this.#End, { inside: false }),
      comment("/frsh:island"),
    );
  };

  #Slot = ({ id, content }: SlotProps) => {
    this.#renderedSlots.add(id);
    const inside = this.#inside;
    this.#inside = false;
    return h(
      Fragment,
      null,
      comment(`frsh:slot:${id}`),
      content,
      h(this.#End, { inside }),
      comment("/frsh:slot"),
    );
  };

  /** Rendered after its elder siblings: marks where what they opened is over. */
  #End = ({ inside }: { inside: boolean }) => {
    this.#inside = inside;
    return null;
  };
}

function comment(text: string): VNode {
  return h(Fragment, { UNSTABLE_comment: text } as object);
}
