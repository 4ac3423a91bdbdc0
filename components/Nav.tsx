import type { NavItem } from "./navigation.ts";

/**
 * The bar's links; on a narrow screen several of them stand behind a menu that needs no script, and
 * a single one stays where it is.
 */
export function Nav({ items, current }: { items: NavItem[]; current: string }) {
  const links = items.map((item) => {
    const here = placeOf(item, current);
    const classes = [item.action && "nav-action", here && "is-current"].filter(Boolean).join(" ");
    return (
      <li>
        <a href={item.href} class={classes || undefined} aria-current={here}>{item.text}</a>
      </li>
    );
  });
  if (items.length === 1) {
    return (
      <nav class="nav-single" aria-label="Main">
        <ul>{links}</ul>
      </nav>
    );
  }
  return (
    <>
      <nav class="nav-wide" aria-label="Main">
        <ul>{links}</ul>
      </nav>
      <details class="nav-narrow">
        <summary>Menu</summary>
        <nav aria-label="Main">
          <ul>{links}</ul>
        </nav>
      </details>
    </>
  );
}

/** Whether a link leads to this very page, or to a part that it belongs to. */
function placeOf({ href, section = href }: NavItem, current: string): "page" | "true" | undefined {
  if (href === current) return "page";
  return section !== "/" && current.startsWith(section + "/") ? "true" : undefined;
}
