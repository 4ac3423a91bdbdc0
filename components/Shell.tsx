/** The navigation bar and footer around every page that has no frame of its own, as consoles do. */
import type { ComponentChildren } from "preact";
import { ThemeForm } from "./ThemeForm.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import type { ThemeChoice } from "../lib/platform/http/theme.ts";
import type { State } from "../lib/app/state.ts";
import { Footer } from "./Footer.tsx";
import { Logo } from "./Logo.tsx";
import { Nav } from "./Nav.tsx";
import { barItems } from "./navigation.ts";
import { Time } from "./Time.tsx";

/** The frame of every page: bar, page and footer. */
export function Shell(
  { state, theme, pathname, search, badge, children }: {
    state: State;
    theme: ThemeChoice;
    pathname: string;
    /** The query, as in `?hash=…`. */
    search: string;
    /** At the end of the bar. */
    badge: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const { surface, services } = state;
  const organisation = services.config.organisations[surface.organisation];
  const items = barItems(state);
  return (
    <>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class="bar">
        <div class="wrap bar-inner">
          <a class="wordmark" href="/" aria-current="false">
            <Logo organisation={surface.organisation} />
            <span>{surface.wordmark === "organisation" ? organisation.name : surface.title}</span>
          </a>
          {items.length > 0 && <Nav items={items} current={pathname} />}
          {badge}
          <div class="theme-slot">
            {state.scripts ? <ThemeToggle {...theme} /> : <ThemeForm {...theme} />}
          </div>
        </div>
      </header>
      <main id="main" class="page" tabindex={-1}>{children}</main>
      <PrintedFrom state={state} path={pathname === "/verify" ? pathname + search : pathname} />
      <Footer state={state} />
    </>
  );
}

/** The address and the time of a page, on paper only. A page that many visitors get has no time. */
const PrintedFrom = ({ state: { surface, services, shared }, path }: {
  state: State;
  path: string;
}) => (
  <p class="printed-from">
    {surface.baseUrl + path}
    {!shared && (
      <>
        {" · "}
        <Time at={new Date(services.clock()).toISOString()} />
      </>
    )}
  </p>
);
