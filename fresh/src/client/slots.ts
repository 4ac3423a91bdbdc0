/** JSX from the server in the props of islands, restored from the page's HTML. */
import { type ComponentChild, h } from "preact";
import { islandAt } from "./boot.ts";

/** Creates the vnode of a slot. Its content is the HTML that the server left in the page. */
export const slot = (id: number) => h(Slot, { id });

const contents = new Map<number, ComponentChild[]>();

/** Reads its content on the first render, before Preact changes it, and keeps it for later ones. */
function Slot({ id }: { id: number }) {
  let content = contents.get(id);
  if (content === undefined) contents.set(id, content = read(id));
  return content;
}

function read(id: number): ComponentChild[] {
  const template = document.querySelector<HTMLTemplateElement>(`#frsh-slot-${id}`);
  const root = template?.content ?? document.body;
  const comments = document.createNodeIterator(root, 128); // NodeFilter.SHOW_COMMENT
  for (let node; (node = comments.nextNode() as Comment | null) !== null;) {
    if (node.data === `frsh:slot:${id}`) return siblings(node.nextSibling, "/frsh:slot");
  }
  return [];
}

/** Converts a node and its siblings up to an end marker to vnodes; islands become components. */
function siblings(node: ChildNode | null, end?: string): ComponentChild[] {
  const vnodes: ComponentChild[] = [];
  for (let open = 0; node !== null; node = node.nextSibling) {
    if (node instanceof Comment) {
      const { data } = node;
      if (open === 0 && data === end) break;
      if (data.startsWith("frsh:island:") && open++ === 0) {
        vnodes.push(islandAt(data));
      } else if (data.startsWith("frsh:slot:")) open++;
      else if (data.startsWith("/frsh:")) open--;
    } else if (open > 0) {
      continue;
    } else if (node instanceof Element) {
      vnodes.push(element(node));
    } else {
      vnodes.push((node as Text).data);
    }
  }
  return vnodes;
}

function element(node: Element): ComponentChild {
  const props: Record<string, unknown> = {};
  for (const { name, value } of node.attributes) {
    // For a boolean property, an empty attribute means true.
    const flag = value === "" &&
      typeof (node as unknown as Record<string, unknown>)[name] === "boolean";
    props[name] = flag ? true : value;
  }
  return h(node.localName, props, ...siblings(node.firstChild));
}
