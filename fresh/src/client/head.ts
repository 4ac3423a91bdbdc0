/** The `<Head>` component in the browser, and how elements of the head are identified. */
import { cloneElement, type ComponentChildren, h, render, toChildArray } from "preact";
import { useLayoutEffect } from "preact/hooks";

const NOT_COMPARED = new Set(["nonce", "children", "data-key"]);
const CONTENT: Record<string, string> = { meta: "content", link: "href" };

/**
 * Identifies an element of the document's head: a later one with the same identity replaces it.
 * That is its key; without a key, a title is the only one, and other elements are compared by their
 * attributes, except the one that carries the content.
 */
export function headIdentity(
  type: string,
  key: unknown,
  attributes: Iterable<[name: string, value: unknown]>,
): string {
  if (key !== null && key !== undefined) return `${key}`;
  if (type === "title") return type;
  const compared = [...attributes]
    .filter(([name, value]) =>
      name !== CONTENT[type] && !NOT_COMPARED.has(name) && value !== undefined
    )
    .sort(([a], [b]) => a < b ? -1 : 1);
  return [type, ...compared.map(([, value]) => value)].join("::");
}

const identityOf = ({ localName, dataset, attributes }: HTMLElement) =>
  headIdentity(localName, dataset.key, [...attributes].map(({ name, value }) => [name, value]));

/** Adds its children to the document's head. In an island, it updates the live document. */
export function Head({ children }: { children?: ComponentChildren }): ComponentChildren {
  useLayoutEffect(() => updateHead(children));
  return null;
}

function updateHead(children: ComponentChildren): void {
  const container = document.createElement("div");
  const keyed = toChildArray(children).map((child) =>
    typeof child === "object" && child.key != null
      ? cloneElement(child, { "data-key": child.key })
      : child
  );
  render(h("div", null, keyed), container);
  for (const element of container.querySelectorAll<HTMLElement>("title, meta, link")) {
    const identity = identityOf(element);
    const known = [...document.head.children as HTMLCollectionOf<HTMLElement>]
      .find((one) => identityOf(one) === identity);
    if (known === undefined) document.head.append(element);
    // An equal stylesheet is kept, because its replacement would be loaded again.
    else if (!known.isEqualNode(element)) known.replaceWith(element);
  }
}
