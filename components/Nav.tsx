import type { NavItem } from "./navigation.ts";

/** The bar's links; on a narrow screen behind a menu that needs no script. */
export function Nav({ items, current }: { items: NavItem[]; current: string }) {
  const links = items.map(({ href, text }) => (
    <li>
      <a href={href} aria-current={isCurrent(href, current) ? "page" : undefined}>{text}</a>
    </li>
  ));
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

function isCurrent(href: string, current: string): boolean {
  return href === current || (href !== "/" && current.startsWith(href + "/"));
}
