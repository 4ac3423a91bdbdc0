import type { ComponentChildren } from "preact";
import ThemeToggle from "../islands/ThemeToggle.tsx";
import type { State } from "../lib/state.ts";
import { Logo } from "./Logo.tsx";

/** What stands around every page: the bar with the surface's name, the page, the foot. */
export function Shell({ state, children }: { state: State; children: ComponentChildren }) {
  const { surface, services, theme } = state;
  const organisation = services.config.organisations[surface.organisation];
  const terms = services.surfaces.url("trust", "/terms");
  const privacy = services.surfaces.url("trust", "/privacy");
  return (
    <>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class="bar">
        <div class="bar-inner">
          <a class="wordmark" href="/">
            <Logo />
            <span>{surface.kind === "marketing" ? organisation.name : surface.title}</span>
          </a>
          {state.scripts && (
            <div class="theme-slot">
              <ThemeToggle theme={theme} />
            </div>
          )}
        </div>
      </header>
      <main id="main" class="page" tabindex={-1}>{children}</main>
      <footer class="foot">
        <div class="foot-inner">
          <span>{organisation.name}</span>
          {terms !== null && <a href={terms}>Terms</a>}
          {privacy !== null && <a href={privacy}>Privacy</a>}
          <a href={`mailto:${organisation.contactEmail}`}>{organisation.contactEmail}</a>
        </div>
      </footer>
    </>
  );
}
