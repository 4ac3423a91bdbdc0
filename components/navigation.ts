import { addressesOn } from "../lib/contact/addresses.ts";
import type { State } from "../lib/state.ts";
import type { Surface } from "../lib/surfaces/mod.ts";

/** One way on from a page. */
export interface NavItem {
  href: string;
  text: string;
  /** The path below which one is still there, where that is not `href`. */
  section?: string;
  /** What somebody does rather than reads: it looks like a button. */
  action?: true;
}

/** Spec 5.5: not "Log in" or "Sign in". */
const MY_RECORD: NavItem = { href: "/my-record", text: "My record →", action: true };

/** What the bar of a surface leads to. */
export function barItems(state: State): NavItem[] {
  const { surface, session, services } = state;
  const contact = contactAddress(state);
  switch (surface.kind) {
    case "site":
      return [
        { href: "/", text: "Qualifications", section: "/qualifications" },
        session
          ? { href: "/account", text: "Account", action: true }
          : { href: "/auth", text: "Sign in", action: true },
      ];
    case "marketing":
      return [
        { href: "/standard", text: "Standard" },
        { href: "/#participate", text: "Participate" },
        { href: "/connect", text: "Connect" },
        { href: services.config.organisations[surface.organisation].codeHostUrl, text: "Code" },
        ...contact === null ? [] : [{ href: contact, text: "Contact" }],
        MY_RECORD,
      ];
    case "investor":
    case "trust":
      return [MY_RECORD];
    default:
      return [];
  }
}

/** Where the qualification site's home stands: the workbench has its own at `/`. */
export const siteHomePath = ({ kind }: Pick<Surface, "kind">): string =>
  kind === "workbench" ? "/site" : "/";

/**
 * Where the contact form is for who follows a link to it; scripts open it over the page instead.
 *
 * @returns null where this deployment registers no enquiries
 */
export function contactAddress({ surface, services }: State): string | null {
  if (addressesOn(surface, services) === null) return null;
  if (surface.kind === "workbench") return "/contact";
  const { contactEmail } = services.config.organisations[surface.organisation];
  return services.surfaces.url("investor", "/") ?? `mailto:${contactEmail}?subject=Contact`;
}

/** What every foot leads to; surfaces that are not served here are left out. */
export function footItems({ surface, services }: State): NavItem[] {
  const { codeHostUrl, contactEmail } = services.config.organisations[surface.organisation];
  const { surfaces } = services;
  const items: { href: string | null; text: string }[] = [
    { href: surface.kind === "marketing" ? codeHostUrl : null, text: "Code" },
    { href: surfaces.url("trust", "/terms"), text: "Terms" },
    { href: surfaces.url("trust", "/privacy"), text: "Privacy" },
    { href: `mailto:${contactEmail}`, text: contactEmail },
  ];
  return items.filter((item): item is NavItem => item.href !== null);
}
