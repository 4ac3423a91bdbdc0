import { ariaCurrent, type NavItem } from "./navigation.ts";

/** The bar's links. On narrow screens, several links collapse into a menu that needs no JavaScript. */
export function Nav({ items, current }: { items: NavItem[]; current: string }) {
  const links = items.map((item) => {
    const state = ariaCurrent(item.href, current, item.section);
    const classes = [item.action && "nav-action", state !== "false" && "is-current"].filter(Boolean)
      .join(" ");
    return (
      <li>
        <a href={item.href} class={classes || undefined} aria-current={state}>{item.text}</a>
      </li>
    );
  });
  if (items.length === 1) {
    return (
      <nav class="nav-single" aria-label="Main">
        <ul class="plain">{links}</ul>
      </nav>
    );
  }
  return (
    <>
      <nav class="nav-wide" aria-label="Main">
        <ul class="plain">{links}</ul>
      </nav>
      <details class="nav-narrow">
        <summary>Menu</summary>
        <nav aria-label="Main">
          <ul class="plain">{links}</ul>
        </nav>
      </details>
    </>
  );
}
