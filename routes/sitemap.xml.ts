import { route } from "../lib/app/state.ts";
import { GUIDES } from "../lib/features/api/mod.ts";
import { sitemap } from "../lib/platform/surfaces/mod.ts";

export const handler = route({
  GET: ({ state: { surface, services } }) => {
    const ids = {
      "/docs/:guide": GUIDES.map(({ id }) => id),
      "/qualifications/:code": services.catalogue.all.map(({ code }) => code),
      "/standard/:section": services.standard.sections.map(({ id }) => id),
    };
    return new Response(sitemap(surface, ids), { headers: { "content-type": "application/xml" } });
  },
});
