/** The links on an error page that lead to other pages. */
import type { State } from "../lib/app/state.ts";
import { contactUrl } from "./navigation.ts";

interface Way {
  href: string;
  text: string;
  about: string;
}

const VERIFY: Way = {
  href: "/verify",
  text: "Verify a record",
  about: "Verify its chain in your own browser.",
};

/** Pages to continue with. A surface shows those that it serves itself, in this order. */
const WAYS: readonly Way[] = [
  { href: "/standard", text: "The standard", about: "Every section, with test vectors." },
  VERIFY,
  {
    href: "/check",
    text: "Check a document",
    about: "Compare a file with the one that was issued.",
  },
  { href: "/levels", text: "Trust levels", about: "What levels 1 to 4 mean." },
  { href: "/governance", text: "Governance", about: "Who decides how the standard changes." },
  { href: "/security", text: "Security", about: "How records are protected." },
  { href: "/status", text: "Status", about: "Whether our services are running." },
  { href: "/my-record", text: "My record", about: "Sign in to your own record." },
  { href: "/account", text: "Account", about: "What you have saved." },
  { href: "/docs", text: "API reference", about: "Every operation, with examples." },
  {
    href: "/docs/contact-form",
    text: "Embed the contact form",
    about: "One script, and what your page has to allow.",
  },
  { href: "/openapi.json", text: "OpenAPI 3.1", about: "The same as a machine-readable file." },
  { href: "/connect", text: "Connect an agent", about: "Add our MCP server to your assistant." },
  { href: "/contact", text: "Contact", about: "Send an enquiry." },
  {
    href: "/.well-known/mcp/server-card.json",
    text: "Server card",
    about: "What the MCP server offers.",
  },
];

/** The most links that a page shows, besides the start page. */
const MAX_WAYS = 5;

/** Returns links to the organisation's site, and on it to the pages that a small surface lacks. */
export function organisationWays({ surface, services: { config, surfaces } }: State): Way[] {
  const { organisation, name } = surface;
  const home = surfaces.url(organisation, "/");
  if (home === null || name === organisation) return [];
  const { name: of } = config.organisations[organisation];
  return [{ href: home, text: of, about: surfaces.get(organisation)!.purpose }];
}

/** Returns the link to the organisation's verifier, if it is on another surface. */
function verifierWays({ surface, services }: State): Way[] {
  if (surface.serves(VERIFY.href)) return [];
  const host = surface.organisation === "commercial" ? "trust" : "foundation";
  const href = services.surfaces.url(host, VERIFY.href);
  return href === null ? [] : [{ ...VERIFY, href }];
}

/** The links from an error page: to the start page first. */
export function ErrorWays({ state }: { state: State }) {
  const { surface } = state;
  const open = WAYS.filter(({ href }) =>
    surface.serves(href) && (href !== "/contact" || contactUrl(state) === href)
  );
  const start = { href: "/", text: "Start page", about: surface.purpose };
  const ways = [
    start,
    ...open.slice(0, MAX_WAYS),
    ...verifierWays(state),
    ...organisationWays(state),
  ];
  return <WayList ways={ways} />;
}

/** Ways to continue, each with what it is about. */
export const WayList = ({ ways }: { ways: readonly Way[] }) => (
  <nav class="error-ways" aria-labelledby="error-ways">
    <h2 class="muted" id="error-ways">Continue here</h2>
    <ul class="plain below-5">
      {ways.map(({ href, text, about }) => (
        <li class="stack gap-0-4 ruled" key={href}>
          <a href={href}>{text}</a>
          <span class="muted">{about}</span>
        </li>
      ))}
    </ul>
  </nav>
);
