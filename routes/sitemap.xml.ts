import { endpoint } from "../lib/platform/http/endpoint.ts";
import { define, type State } from "../lib/app/state.ts";
import { sitemap } from "../lib/platform/surfaces/mod.ts";

export const handler = define.handlers(endpoint<State>({
  GET: ({ state: { surface, services } }) => {
    const ids = {
      "/qualifications/:code": services.catalogue.all.map(({ code }) => code),
      "/standard/:section": services.standard.sections.map(({ id }) => id),
    };
    return new Response(sitemap(surface, ids), { headers: { "content-type": "application/xml" } });
  },
}));
