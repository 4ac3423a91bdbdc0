/** The links in the bars and footers of all sites, with the current one marked. */
import { contactUrls } from "../lib/features/contact/mod.ts";
import type { State } from "../lib/app/state.ts";
import type { NavigationEntry } from "../lib/platform/surfaces/mod.ts";

export interface NavItem {
  href: string;
  text: string;
  /** The path whose subpages also count as this item, if not `href`. */
  section?: string;
  action?: true;
}

/**
 * Returns the `aria-current` of a link, for the current page, a section that contains it, or neither.
 * It is always set, because otherwise Fresh marks links to any ancestor of the current path.
 *
 * @param section the path whose subpages belong to the link; "/" for none
 */
export function ariaCurrent(
  href: string,
  current: string,
  section = href,
): "page" | "true" | "false" {
  if (href === current) return "page";
  return section !== "/" && current.startsWith(`${section}/`) ? "true" : "false";
}

export const barItems = (state: State): NavItem[] =>
  state.surface.navigation.flatMap((entry) => itemOf(entry, state) ?? []);

function itemOf(entry: NavigationEntry, state: State): NavItem | null {
  const { surface, session, services } = state;
  switch (entry) {
    case "account":
      return session
        ? { href: "/account", text: "Account", action: true }
        : { href: "/auth", text: "Sign in", action: true };
    case "code":
      return {
        href: services.config.organisations[surface.organisation].codeHostUrl,
        text: "Code",
      };
    case "verify": {
      const href = surface.serves("/verify")
        ? "/verify"
        : services.surfaces.url("trust", "/verify");
      return href === null ? null : { href, text: "Verify" };
    }
    case "contact": {
      const href = contactUrl(state);
      return href === null ? null : { href, text: "Contact" };
    }
    case "my-record": {
      const href = myRecordUrl(state);
      // Spec 5.5: not "Log in" or "Sign in".
      return href === null ? null : { href, text: "My record →", action: true };
    }
    default:
      return entry;
  }
}

/** Returns the URL of the page for holders of records; null if this deployment has none. */
export const myRecordUrl = ({ surface, services }: State): string | null =>
  surface.holders ? "/my-record" : services.surfaces.url("trust", "/my-record");

/** Returns the path of the qualification site's home page. On the workbench, `/` is another page. */
export const siteHomePath = ({ home }: { home: string }): string => home === "site" ? "/" : "/site";

/**
 * Returns the URL of a page with the contact form, for links that work without JavaScript. With
 * JavaScript, the form opens in a dialog instead.
 *
 * @returns null if this deployment does not register enquiries
 */
export function contactUrl({ surface, services }: State): string | null {
  if (contactUrls(surface, services) === null) return null;
  if (surface.serves("/contact")) return "/contact";
  const { contactEmail } = services.config.organisations[surface.organisation];
  const site = services.surfaces.get(surface.organisation);
  if (site?.serves("/contact")) return `${site.baseUrl}/contact`;
  return services.surfaces.url("investor", "/") ?? `mailto:${contactEmail}?subject=Contact`;
}

interface FootGroup {
  title: string;
  items: NavItem[];
}

/** Returns the links in the footer by group, without those to surfaces that are not served here. */
export function footGroups(state: State): FootGroup[] {
  const { surface, services: { config, surfaces } } = state;
  const { codeHostUrl, contactEmail } = config.organisations[surface.organisation];
  const contact = contactUrl(state);
  const checks = [
    { href: checkUrl("/verify", state), text: "Verify a record" },
    { href: checkUrl("/check", state), text: "Check a document" },
    { href: checkUrl("/levels", state), text: "Trust levels" },
  ];
  const pages = surface.navigation.filter((entry) => typeof entry === "object");
  const groups: { title: string; items: { href: string | null; text: string }[] }[] = [
    {
      title: "Site",
      items: [
        ...pages.filter(({ href }) => !checks.some((check) => check.href === href)),
        { href: surface.serves("/status") ? "/status" : null, text: "Status" },
        apiItem(state),
        { href: formGuide(state), text: "Embed the form" },
      ],
    },
    { title: "Verification", items: checks },
    {
      title: "Contact",
      items: [
        { href: contact?.startsWith("mailto:") ? null : contact, text: "Contact form" },
        { href: `mailto:${contactEmail}`, text: contactEmail },
        { href: surface.advertisesMcp ? codeHostUrl : null, text: "Source code" },
      ],
    },
    {
      title: "Legal",
      items: [
        { href: surfaces.url("trust", "/terms"), text: "Terms" },
        { href: surfaces.url("trust", "/privacy"), text: "Privacy" },
      ],
    },
  ];
  return groups
    .map(({ title, items }) => ({ title, items: items.filter(isServed) }))
    .filter(({ items }) => items.length > 0);
}

const isServed = (item: { href: string | null; text: string }): item is NavItem =>
  item.href !== null;

/**
 * Returns the URL of a page that checks records or documents: the surface's own, or, on surfaces of
 * the publisher of records, the trust surface's.
 */
function checkUrl(path: string, { surface, services }: State): string | null {
  if (surface.serves(path)) return path;
  return surface.organisation === "commercial" ? services.surfaces.url("trust", path) : null;
}

/** Returns the link to the API's home page. */
const apiItem = ({ services }: State) => ({ href: services.surfaces.url("api"), text: "API" });

/** Returns the guide to embedding the form, for the commercial site. The API's bar has it, too. */
const formGuide = ({ surface, services }: State): string | null =>
  surface.name === "commercial" ? services.surfaces.url("api", "/docs/contact-form") : null;

/** Returns the links of a footer of one line, for pages with a frame of their own. */
export function footItems(state: State): NavItem[] {
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  const legal = footGroups(state).find(({ title }) => title === "Legal");
  return [...[apiItem(state)].filter(isServed), ...legal?.items ?? [], {
    href: `mailto:${contactEmail}`,
    text: contactEmail,
  }];
}
