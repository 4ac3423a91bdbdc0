import { listQualifications } from "../../lib/features/qualifications/listing.ts";
import { readListingRequest } from "../../lib/features/qualifications/http.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** The search on the site's home page, as JSON: `?q=&level=&package=&status=&limit=&offset=`. */
export const handler = route({
  GET: ({ url, state }) => {
    const { filters, ...page } = readListingRequest(url);
    const listing = listQualifications(state.services.catalogue, filters, page);
    return Response.json(listing, { headers: { "cache-control": "public, max-age=60" } });
  },
});
