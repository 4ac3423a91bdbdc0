import type { Props } from "./props.ts";

/** The parts of a page's URL that decide which links lead to it. */
export type PageUrl = Pick<URL, "pathname" | "search">;

/**
 * Returns a link's props with marks for CSS and screen readers when it leads to the current page or
 * to an ancestor of it, otherwise null. A link to the same path with another query counts as one to an
 * ancestor. A link whose author set `aria-current` is not changed.
 */
export function activeLinkProps(props: Props, current: PageUrl): Props | null {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return null;
  if (props["aria-current"] !== undefined) return null;
  const url = urlOf(href);
  if (url === null) return null;
  const { pathname, search } = url;
  const path = withoutSlash(pathname);
  const here = withoutSlash(current.pathname);
  if (path === here && (search === "" || search === current.search)) {
    return { ...props, "data-current": "true", "aria-current": "page" };
  }
  if (path !== here && path !== "/" && !here.startsWith(`${path}/`)) return null;
  return { ...props, "data-ancestor": "true", "aria-current": "true" };
}

/** Parses a link. Parsing a URL is slow, so plain paths skip it. */
function urlOf(href: string): PageUrl | null {
  const plain = /^\/(?!\/)[\w/-]*(?=#|$)/.exec(href)?.[0];
  return plain === undefined
    ? URL.parse(href, "http://localhost")
    : { pathname: plain, search: "" };
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
