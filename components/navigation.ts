import type { State } from "../lib/state.ts";

/** One way on from a page. */
export interface NavItem {
  href: string;
  text: string;
}

/** What the bar of a surface leads to. */
export function barItems({ surface, services }: State): NavItem[] {
  if (surface.kind !== "marketing") return [];
  const { codeHostUrl } = services.config.organisations[surface.organisation];
  return [
    { href: "/standard", text: "Standard" },
    { href: "/#participate", text: "Participate" },
    { href: "/connect", text: "Connect" },
    { href: codeHostUrl, text: "Code" },
  ];
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
