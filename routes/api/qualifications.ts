import { searchQualifications } from "../../lib/features/api/mod.ts";
import { listQualifications } from "../../lib/features/qualifications/listing.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

/** The search on the site's home page, as JSON. */
export const handler = route({
  GET: serveOperation(searchQualifications, ({ state }, { query }) => {
    const { limit, offset, ...filters } = query;
    const listing = listQualifications(state.services.catalogue, filters, { limit, offset });
    return Response.json(listing, { headers: { "cache-control": "public, max-age=60" } });
  }),
});
