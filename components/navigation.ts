import { contactUrls } from "../lib/contact/mod.ts";
import type { State } from "../lib/state.ts";
import type { NavigationEntry } from "../lib/surfaces/mod.ts";

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
    case "contact": {
      const href = contactUrl(state);
      return href === null ? null : { href, text: "Contact" };
    }
    case "my-record": {
      const href = surface.holders ? "/my-record" : services.surfaces.url("trust", "/my-record");
      // Spec 5.5: not "Log in" or "Sign in".
      return href === null ? null : { href, text: "My record →", action: true };
    }
    default:
      return entry;
  }
}

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
  return services.surfaces.url("investor", "/") ?? `mailto:${contactEmail}?subject=Contact`;
}

/** Returns the links in the footer, without those to surfaces that are not served here. */
export function footItems({ surface, services }: State): NavItem[] {
  const { codeHostUrl, contactEmail } = services.config.organisations[surface.organisation];
  const { surfaces } = services;
  const items: { href: string | null; text: string }[] = [
    { href: surface.navigation.includes("code") ? codeHostUrl : null, text: "Code" },
    { href: surface.serves("/verify") ? "/verify" : null, text: "Check a record" },
    { href: surface.serves("/check") ? "/check" : null, text: "Check a document" },
    { href: surface.serves("/levels") ? "/levels" : null, text: "Trust levels" },
    { href: surfaces.url("trust", "/terms"), text: "Terms" },
    { href: surfaces.url("trust", "/privacy"), text: "Privacy" },
    { href: `mailto:${contactEmail}`, text: contactEmail },
  ];
  return items.filter((item): item is NavItem => item.href !== null);
}
