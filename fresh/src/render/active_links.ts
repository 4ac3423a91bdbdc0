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
  const plain = PLAIN_PATH.exec(href)?.[0];
  if (plain !== undefined && !leadsHere(plain, current)) return null;
  const url = plain !== undefined && href[plain.length] !== "?"
    ? { pathname: plain, search: "" }
    : URL.parse(href, "http://localhost");
  if (url === null || !leadsHere(url.pathname, current)) return null;
  const { pathname, search } = url;
  const isPage = withoutSlash(pathname) === withoutSlash(current.pathname) &&
    (search === "" || search === current.search);
  return isPage
    ? { ...props, "data-current": "true", "aria-current": "page" }
    : { ...props, "data-ancestor": "true", "aria-current": "true" };
}

/** The path of most links. Parsing a URL is slow, so most of these are not parsed. */
const PLAIN_PATH = /^\/(?!\/)[\w/-]*(?=[?#]|$)/;

/** Returns whether a path is the current one, or one of its ancestors. */
function leadsHere(path: string, current: PageUrl): boolean {
  const [to, here] = [withoutSlash(path), withoutSlash(current.pathname)];
  return to === here || to === "/" || here.startsWith(`${to}/`);
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
