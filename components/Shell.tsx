import type { ComponentChildren } from "preact";
import { ThemeForm } from "./ThemeForm.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import type { ThemeChoice } from "../lib/platform/http/theme.ts";
import type { State } from "../lib/app/state.ts";
import { Footer } from "./Footer.tsx";
import { Logo } from "./Logo.tsx";
import { Nav } from "./Nav.tsx";
import { barItems } from "./navigation.ts";

/** The frame of every page: bar, page and footer. */
export function Shell(
  { state, theme, pathname, badge, children }: {
    state: State;
    theme: ThemeChoice;
    pathname: string;
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
      <Footer state={state} />
    </>
  );
}
