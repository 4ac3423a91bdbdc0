import { z } from "zod";
import type { OrganisationKey, Surfaces } from "../surfaces/mod.ts";

/** The query of `POST /api/ir/register`. */
export const registerQuery = z.object({
  organisation: z.enum(
    ["foundation", "commercial"],
    "Use foundation or commercial, or leave it out.",
  ).optional(),
});

/**
 * Returns the organisation that an enquiry belongs to: the one on whose site it was made. A browser
 * names the site in `Origin`, which no page can forge. Where the origin decides nothing, the URL of
 * the endpoint may name the organisation: a form that the API shows again after a refusal, a page of
 * another site, a program, and the workbench. The commercial organisation gets the rest.
 *
 * @param asked what the endpoint's URL says
 */
export function organisationOf(
  { origin, asked }: { origin: string | null; asked: OrganisationKey | undefined },
  surfaces: Surfaces,
): OrganisationKey {
  const surface = origin === null ? undefined : surfaces.byOrigin(origin);
  const isSite = surface !== undefined && surface.contactForm && !surface.servesAll;
  return isSite ? surface.organisation : asked ?? "commercial";
}

/** Returns the address of the endpoint for forms that the organisation's site shows. */
export const registerFor = (register: string, organisation: OrganisationKey): string =>
  `${register}?organisation=${organisation}`;
