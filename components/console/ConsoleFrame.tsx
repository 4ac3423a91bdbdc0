/** The sidebar, breadcrumbs and footer around every page of a console. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { ThemeForm } from "../ThemeForm.tsx";
import { ThemeToggle } from "../ThemeToggle.tsx";
import { MOST_COUNTED } from "../../lib/features/alerts/mod.ts";
import { MOST_COUNTED as MOST_ENQUIRIES } from "../../lib/features/inbox/mod.ts";
import type { Layer } from "../../lib/features/operators/mod.ts";
import { consolePages, type PageGroup } from "../../lib/features/console/pages.ts";
import { themeChoiceOf } from "../../lib/platform/http/theme.ts";
import type { State } from "../../lib/app/state.ts";
import { formatCount } from "../../lib/base/time.ts";
import { ActionForms } from "../ActionForms.tsx";
import { Logo } from "../Logo.tsx";
import { FileFormGate } from "../passkeys/FileFormGate.tsx";
import { ariaCurrent, footItems, type NavItem } from "../navigation.ts";
import { AlertCount, EnquiryCount, UnreadCount } from "./AlertCount.tsx";
import { Palette } from "./Palette.tsx";
import { Icon } from "../Icon.tsx";

const LAYERS: Record<Layer, string> = { L1: "Full administrator", L2: "Board member" };

/** The person who is signed in. The layer is null for an address on neither list. */
export interface Visitor {
  email: string;
  layer: Layer | null;
}

export interface FrameProps {
  state: State;
  url: URL;
  req: Request;
  /** Null if nobody is signed in, as on some error pages. */
  visitor: Visitor | null;
  /** The page's title, without the organisation's name. */
  title: string;
  /** True if the page says why a form was refused, which its title then says first. */
  refused?: boolean;
  /**
   * The pages between the page's sidebar section and the page itself. Without it, as on error pages,
   * there are no breadcrumbs.
   */
  crumbs?: readonly NavItem[];
  /** The stylesheet in `static/styles/pages`. Default: the one of pages without their section's. */
  styles?: string;
  children: ComponentChildren;
}

/**
 * The frame of every console page, error pages included: a sidebar with the pages of the visitor's
 * layer (spec 4.2.2), the signed-in address and the footer. Pages set `state.bare`, so that it
 * replaces the shell.
 */
export function ConsoleFrame(
  { state, url, req, visitor, title, refused = false, crumbs, styles = "console", children }:
    FrameProps,
) {
  const organisation = state.services.config.organisations[state.surface.organisation];
  const theme = themeChoiceOf(req);
  const { gate } = state;
  // Without a passkey, nothing opens, so there is nothing to list.
  const layer = gate.required && !gate.used ? null : visitor?.layer ?? null;
  const groups = layer === null ? [] : consolePages(layer, state.surface);
  return (
    <div class="console stack relative text-medium">
      <Head>
        <title>{`${refused ? "Error: " : ""}${title} · ${organisation.name} console`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
      </Head>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class={visitor === null ? "console-side signed-out" : "console-side"}>
        <a class="wordmark shrinks flush" href="/console" aria-current="false">
          <Logo organisation={state.surface.organisation} />
          <span class="stack shrinks">
            {organisation.name}
            <small>Operations console</small>
          </span>
        </a>
        {groups.length > 0 && (
          <>
            <Search state={state} groups={groups} operator={visitor!.email} layer={layer!} />
            {/* On phones, it shows and hides what follows it, without scripts. */}
            <details class="console-menu">
              <summary>
                <Icon name="menu" />
                <span>Menu</span>
              </summary>
            </details>
            <nav class="console-nav stack gap-3" aria-label="Console">
              {groups.map((group) => (
                <Group key={group.title} {...group} current={url.pathname} state={state} />
              ))}
            </nav>
          </>
        )}
        {visitor === null
          ? <a class="button small" href="/auth">Sign in</a>
          : <SignedIn visitor={visitor} />}
      </header>
      <aside class="theme-slot" aria-label="Appearance">
        {state.scripts ? <ThemeToggle {...theme} /> : <ThemeForm {...theme} />}
      </aside>
      <div class="console-body flex relative column shrinks">
        {crumbs !== undefined && (
          <Breadcrumbs {...{ groups, crumbs, title }} current={url.pathname} />
        )}
        <main id="main" class="console-main full-width" tabindex={-1}>{children}</main>
        {state.scripts && layer === "L1" && <ActionForms />}
        {state.scripts && gate.usable && <FileFormGate openMs={gate.openMs} />}
        <footer class="wrap console-foot gap-2-5 muted text-small">
          <span>{organisation.name}</span>
          {footItems(state).map(({ href, text }) => <a key={href} href={href}>{text}</a>)}
        </footer>
      </div>
    </div>
  );
}

function Search({ state, groups, operator, layer }: {
  state: State;
  groups: readonly PageGroup[];
  operator: string;
  layer: Layer;
}) {
  if (state.scripts) {
    const pages = groups.flatMap(({ pages }) =>
      pages.map(({ href, text, words, icon }) => ({ href, text, words, icon }))
    );
    return <Palette {...{ pages, operator, layer }} />;
  }
  return (
    <a class="console-search gap-3" href="/console/search" aria-current="false">
      <Icon name="search" />
      <span>Search</span>
    </a>
  );
}

function Group({ title, pages, current, state }: PageGroup & { current: string; state: State }) {
  const id = `console-${title.toLowerCase()}`;
  const Unread = state.scripts ? AlertCount : UnreadCount;
  const Enquiries = state.scripts ? EnquiryCount : UnreadCount;
  const { levels } = state.recordOverview?.totals ?? {};
  const records = levels === undefined ? 0 : levels[1] + levels[2] + levels[3] + levels[4];
  return (
    <div>
      <p class="muted bold" id={id}>{title}</p>
      <ul class="plain stack" aria-labelledby={id}>
        {pages.map(({ href, section, text, icon, below }) => (
          <li key={href} class={below ? "below" : undefined}>
            <a href={href} aria-current={ariaCurrent(href, current, section)}>
              <Icon name={icon} />
              {text}
              {href === "/console/records" && records > 0 && (
                <span class="count muted text-small digits">{formatCount(records)}</span>
              )}
              {href === "/console/inbox" && (
                <Enquiries
                  unread={state.inboxCounts?.new ?? 0}
                  most={MOST_ENQUIRIES}
                  word="new"
                />
              )}
              {href === "/console/alerts" && (
                <Unread unread={state.unreadAlerts} most={MOST_COUNTED} />
              )}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The breadcrumbs from the page's section to the page. Pages in the sidebar have none. */
function Breadcrumbs({ groups, crumbs, title, current }: {
  groups: readonly PageGroup[];
  crumbs: readonly NavItem[];
  title: string;
  current: string;
}) {
  const section = groups.flatMap(({ pages }) => pages).find(({ href, section = href }) =>
    section !== "/" && current.startsWith(`${section}/`)
  );
  const way = section === undefined ? crumbs : [section, ...crumbs];
  if (way.length === 0) return null;
  return (
    <nav class="crumbs text-small" aria-label="Breadcrumb">
      <ol class="plain cluster">
        {way.map(({ href, text }) => (
          <li class="rigid" key={href}>
            <a href={href} aria-current="false">{text}</a>
          </li>
        ))}
        <li class="cut" aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}

function SignedIn({ visitor: { email, layer } }: { visitor: Visitor }) {
  return (
    <div class="console-operator stack gap-3">
      <p class="stack shrinks flush">
        <span class="visually-hidden">Signed in as</span>
        <span class="cut" title={email}>{email}</span>
        <small>{layer === null ? "No access" : `${LAYERS[layer]} (${layer})`}</small>
      </p>
      <form method="post" action="/api/auth/logout">
        <button type="submit" class="button small">Sign out</button>
      </form>
    </div>
  );
}
