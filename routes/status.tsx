import { page } from "fresh";
import { StatusPage } from "../components/marketing/StatusPage.tsx";
import type { PublicStatus } from "../lib/features/infra/mod.ts";
import { define, pageHandler } from "../lib/app/state.ts";

export const handler = pageHandler<PublicStatus>({
  GET: async ({ state: { services } }) =>
    page(await services.infra.publicStatus(), { headers: { "cache-control": "no-store" } }),
});

/** Shows whether the services respond, for everyone and without details. */
export default define.page<typeof handler>(({ data, state: { surface, services } }) => (
  <StatusPage status={data} name={services.config.organisations[surface.organisation].name} />
));
