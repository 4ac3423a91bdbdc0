/** The script with which pages make their islands interactive. */
import { type ComponentType, type ContainerNode, h, hydrate } from "preact";

/** The page's islands by name, and the props of each use of one. */
export const page: { islands: Record<string, ComponentType>; props: object[] } = {
  islands: {},
  props: [],
};

/** Hydrates the islands between their comment markers, except those inside other islands. */
export function boot(islands: Record<string, ComponentType>, props: object[]): void {
  page.islands = islands;
  page.props = props;
  const comments = document.createNodeIterator(document.body, 128); // NodeFilter.SHOW_COMMENT
  const starts: Comment[] = [];
  const roots: [Comment, Comment][] = [];
  for (let node; (node = comments.nextNode() as Comment | null) !== null;) {
    if (node.data.startsWith("frsh:island:")) starts.push(node);
    else if (node.data === "/frsh:island") {
      const start = starts.pop()!;
      if (starts.length === 0) roots.push([start, node]);
    }
  }
  for (const [start, end] of roots) {
    if (start.parentNode === end.parentNode) hydrate(islandAt(start.data), range(start, end));
    else warnOfNesting(start);
  }
}

/** An island's markers have different parents if the browser had to correct the HTML around them. */
function warnOfNesting({ data, parentElement }: Comment): void {
  const parent = parentElement!.localName;
  console.error(
    `Island <${data.split(":")[2]}>: it does not work, because HTML allows no such element ` +
      `in a <${parent}>, so the browser ends the <${parent}> early.`,
  );
}

/** Creates the vnode for a start marker: `frsh:island:Name:propsIndex:key`. */
export function islandAt(marker: string) {
  const [, , name, index, key] = marker.split(":");
  return h(page.islands[name], { ...page.props[+index], key });
}

/** Returns the nodes between two markers as the container element that Preact expects. */
function range(start: Comment, end: Comment): ContainerNode {
  const parent = start.parentNode!;
  const childNodes: ChildNode[] = [];
  for (let node = start.nextSibling!; node !== end; node = node.nextSibling!) {
    childNodes.push(node);
  }
  return {
    nodeType: 1,
    parentNode: parent,
    firstChild: childNodes[0] ?? null,
    childNodes,
    namespaceURI: (parent as Element).namespaceURI,
    contains: (node: Node) => parent.contains(node),
    insertBefore: (node: Node, child: Node | null) => parent.insertBefore(node, child ?? end),
    appendChild: (node: Node) => parent.insertBefore(node, end),
    removeChild: (node: Node) => parent.removeChild(node),
  } as unknown as ContainerNode;
}
