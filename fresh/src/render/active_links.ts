import type { Props } from "./props.ts";

/**
 * Returns a link's props with marks for CSS and screen readers when it leads to the current page or
 * to an ancestor of it, otherwise null. An `aria-current` that the author set is kept.
 */
export function activeLinkProps(props: Props, current: string): Props | null {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return null;
  const path = withoutSlash(pathOf(href));
  const here = withoutSlash(current);
  const marked = (mark: string, value: string) => ({
    ...props,
    [mark]: "true",
    "aria-current": props["aria-current"] ?? value,
  });
  if (path === here) return marked("data-current", "page");
  return path === "/" || here.startsWith(`${path}/`) ? marked("data-ancestor", "true") : null;
}

/** Returns the normalized path of a link. Parsing a URL is slow, so plain paths skip it. */
function pathOf(href: string): string {
  const plain = /^\/(?!\/)[\w/-]*(?=[?#]|$)/.exec(href)?.[0];
  return plain ?? URL.parse(href, "http://localhost")?.pathname ?? href;
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
