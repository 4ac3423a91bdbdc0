/** The organisation that a form belongs to, and the sites that may embed it. */
import { z } from "zod";
import type { ContactConfig } from "./variables.ts";
import type { CorsPolicy } from "../../platform/http/cors.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";

interface FormServices {
  surfaces: Surfaces;
  config: { contact: ContactConfig };
}

/** The query of `POST /api/ir/register`. */
export const registerQuery = z.object({
  organisation: z.enum(
    ["foundation", "commercial"],
    "Use foundation or commercial, or leave it out.",
  ).optional().describe("Which organisation the enquiry belongs to. Default: commercial."),
});

/**
 * Returns the organisation that an enquiry belongs to: the one whose site it was sent from.
 * Browsers send the site in `Origin`, which pages cannot forge. If the origin is not one of these
 * sites, the endpoint's URL may name the organisation: for forms that the API shows again after a
 * refusal, pages of other sites, programs and the workbench. The default is the commercial
 * organisation.
 *
 * @param requested the organisation in the endpoint's URL
 */
export function organisationOf(
  { origin, requested }: { origin: string | null; requested: OrganisationKey | undefined },
  surfaces: Surfaces,
): OrganisationKey {
  const surface = origin === null ? undefined : surfaces.byOrigin(origin);
  const isSite = surface !== undefined && surface.contactForm && !surface.servesAll;
  return isSite ? surface.organisation : requested ?? "commercial";
}

/** The site of a registration that no website sent: a program, or a browser that hides the site. */
export const NO_SITE = "none";

/**
 * Returns the name of the site that a registration was sent from, for the charts: the surface, or
 * the host of another site that embeds the form.
 *
 * @param origin one that {@link isFormOrigin} accepts, or null
 */
export const siteOf = (origin: string | null, surfaces: Surfaces): string =>
  origin === null ? NO_SITE : surfaces.byOrigin(origin)?.name ?? new URL(origin).host;

/**
 * Returns the address of the site that a posted form came from: the origin if it is a site of its own,
 * or else the organisation's site. So after a refusal, when the API's page posts the form again, it
 * is not the API.
 *
 * @param origin one that {@link isFormOrigin} accepts, or null
 */
export function backTo(
  { origin, organisation }: { origin: string | null; organisation: OrganisationKey },
  surfaces: Surfaces,
): string | null {
  const surface = origin === null ? undefined : surfaces.byOrigin(origin);
  const isSite = origin !== null && (surface === undefined || surface.contactForm === true);
  return isSite ? `${origin}/` : surfaces.url(organisation, "/");
}

/** Allows the pages that may use the form to call an endpoint. */
export const formCors =
  (...methods: string[]) =>
  ({ state: { services } }: { state: { services: FormServices } }): CorsPolicy => ({
    isAllowed: (origin) => isFormOrigin(origin, services),
    methods,
  });

/** Returns the URL of the endpoint for forms on an organisation's site. */
export const registerFor = (register: string, organisation: OrganisationKey): string =>
  `${register}?organisation=${organisation}`;

/**
 * Returns whether pages of an origin may use the form: our own, and those that may embed it. The
 * origin `null` may not, because any page can send it.
 */
export const isFormOrigin = (
  origin: string,
  { surfaces, config }: FormServices,
): boolean => surfaces.isOwnOrigin(origin) || config.contact.origins.includes(origin);
