import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { ThemeToggle } from "../ThemeToggle.tsx";
import { MOST_COUNTED } from "../../lib/console/alerts.ts";
import { includesLayer, type Layer } from "../../lib/console/layers.ts";
import { themeOf } from "../../lib/http/theme.ts";
import type { State } from "../../lib/state.ts";
import { Logo } from "../Logo.tsx";
import { ariaCurrent, footItems } from "../navigation.ts";
import { Icon } from "./parts.tsx";

interface Entry {
  href: string;
  section?: string;
  text: string;
  icon: Parameters<typeof Icon>[0]["name"];
  layer: Layer;
}

const ENTRIES: Entry[] = [
  // The other pages are under the dashboard's path, but do not belong to it.
  { href: "/console", section: "/", text: "Dashboard", icon: "dashboard", layer: "L2" },
  { href: "/console/finance", text: "Finance", icon: "finance", layer: "L1" },
  { href: "/console/alerts", text: "Alerts", icon: "alerts", layer: "L1" },
  { href: "/console/payments", text: "Payments", icon: "payments", layer: "L1" },
  { href: "/console/records", text: "Records", icon: "records", layer: "L1" },
  { href: "/console/users", text: "Users", icon: "users", layer: "L1" },
  { href: "/console/surfaces", text: "Surfaces", icon: "surfaces", layer: "L2" },
  { href: "/console/audit", text: "Audit log", icon: "audit", layer: "L1" },
];

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
  children: ComponentChildren;
}

/**
 * The frame of every console page, error pages included: a sidebar with the pages of the visitor's
 * layer (spec 4.2.2), the signed-in address and the footer. Pages set `state.bare`, so that it
 * replaces the shell.
 */
export function ConsoleFrame({ state, url, req, visitor, title, children }: FrameProps) {
  const organisation = state.services.config.organisations[state.surface.organisation];
  return (
    <div class="console">
      <Head>
        <title>{`${title} · ${organisation.name} console`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/console.css")} />
      </Head>
      <a class="skip-link" href="#main">Skip to content</a>
      <header class="console-side">
        <a class="wordmark" href="/console" aria-current="false">
          <Logo />
          <span>
            {organisation.name}
            <small>Operations console</small>
          </span>
        </a>
        <Entries
          layer={visitor?.layer ?? null}
          current={url.pathname}
          unread={state.unreadAlerts}
          serves={state.surface.serves}
        />
        {visitor !== null && <SignedIn visitor={visitor} />}
      </header>
      {state.scripts && (
        <aside class="theme-slot" aria-label="Appearance">
          <ThemeToggle theme={themeOf(req)} />
        </aside>
      )}
      <div class="console-body">
        <main id="main" class="console-main" tabindex={-1}>{children}</main>
        <footer class="console-foot">
          <span>{organisation.name}</span>
          {footItems(state).map(({ href, text }) => <a key={href} href={href}>{text}</a>)}
        </footer>
      </div>
    </div>
  );
}

function Entries({ layer, current, unread, serves }: {
  layer: Layer | null;
  current: string;
  unread: number;
  serves: (pathname: string) => boolean;
}) {
  if (layer === null) return null;
  const shown = ENTRIES.filter(({ href, layer: needed }) =>
    includesLayer(layer, needed) && serves(href)
  );
  return (
    <nav class="console-nav" aria-label="Console">
      <ul>
        {shown.map(({ href, section, text, icon }) => (
          <li key={href}>
            <a href={href} aria-current={ariaCurrent(href, current, section)}>
              <Icon name={icon} />
              {text}
              {href === "/console/alerts" && unread > 0 && <Unread count={unread} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Unread = ({ count }: { count: number }) => (
  <span class="unread">
    {count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}
    <span class="visually-hidden">unread</span>
  </span>
);

function SignedIn({ visitor: { email, layer } }: { visitor: Visitor }) {
  return (
    <div class="console-operator">
      <p>
        <span class="visually-hidden">Signed in as</span>
        <span class="address" title={email}>{email}</span>
        <small>{layer === null ? "No access" : `${LAYERS[layer]} (${layer})`}</small>
      </p>
      <form method="post" action="/api/auth/logout">
        <button type="submit" class="button small">Sign out</button>
      </form>
    </div>
  );
}
