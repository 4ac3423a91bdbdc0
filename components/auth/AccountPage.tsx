/** The account page of a visitor who is signed in by email, with their saved qualifications and searches. */
import { asset, Head } from "fresh/runtime";
import { ThemeToggle } from "../ThemeToggle.tsx";
import type { State } from "../../lib/app/state.ts";
import type { SavedItems } from "../../lib/features/qualifications/mod.ts";
import { SavedSections } from "../qualifications/SavedSections.tsx";
import { Footer } from "../Footer.tsx";
import { breakable } from "../mixed_text.ts";
import { Logo } from "../Logo.tsx";
import { Nav } from "../Nav.tsx";
import { barItems, siteHomePath } from "../navigation.ts";
import type { ThemeChoice } from "../../lib/platform/http/theme.ts";

/**
 * The account page: the headline of spec 4.3, what the person has saved, and the cards of spec 4.3.
 * Until something is saved, the cards come first.
 */
export function AccountPage(
  { state, email, theme, items }: {
    state: State;
    email: string;
    theme: ThemeChoice;
    /** The person's saved items; null on surfaces where nothing can be saved. */
    items: SavedItems | null;
  },
) {
  const { config } = state.services;
  const nav = barItems(state);
  const saved = items && <SavedSections state={state} items={items} />;
  const hasSaved = items !== null && Object.values(items).some(({ length }) => length > 0);
  return (
    <>
      <Head>
        <title>{`Your account · ${config.productName}`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/account.css")} />
      </Head>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class="bar">
        <div class="wrap bar-inner account-bar gap-4">
          <a class="wordmark rigid" href={siteHomePath(state.surface)}>
            <Logo />
            <span>{config.productName}</span>
          </a>
          {nav.length > 0 && <Nav items={nav} current="/account" />}
          <span class="address cut muted anywhere shrinks">{email}</span>
          <form method="post" action="/api/auth/logout">
            <button type="submit" class="button small">Sign out</button>
          </form>
          <div class="theme-slot">
            <ThemeToggle {...theme} />
          </div>
        </div>
      </header>
      <main id="main" class="page" tabindex={-1}>
        <h1>
          Welcome, <span class="address anywhere">{breakable(email)}</span>
        </h1>
        <p class="lead">Your dashboard is being set up.</p>
        {items !== null && !hasSaved && (
          <p class="measure-wide muted">
            You can already save qualifications and searches. They are listed here, and a saved
            qualification that is superseded says so and leads to its successor.
          </p>
        )}
        {hasSaved && saved}
        <ul class="account-cards stack gap-5">
          <li class="card cta relative">
            <h2>
              <a class="covers" href={siteHomePath(state.surface)}>Explore qualifications →</a>
            </h2>
            <p>Search the national qualifications by code, title, package and level.</p>
          </li>
          <li class="card locked">
            <h2 class="cluster gap-2 muted">
              <Lock />
              Scope analysis
            </h2>
            <p>How your scope of registration compares with the current packages.</p>
            <p class="pill">Locked: not available yet</p>
          </li>
        </ul>
        {!hasSaved && saved}
      </main>
      <Footer state={state} />
    </>
  );
}

function Lock() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <rect x="5" y="11" width="14" height="9" rx="2" fill="currentColor" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" fill="none" stroke="currentColor" stroke-width="2" />
    </svg>
  );
}
