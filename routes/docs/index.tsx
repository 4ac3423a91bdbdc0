import { PageHead } from "../../components/PageHead.tsx";
import { ApiReference } from "../../components/api/ApiReference.tsx";
import type { ReferenceGroup } from "../../lib/features/api/mod.ts";
import { page } from "fresh";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage<ReferenceGroup[]>({
  GET: async ({ state: { services, surface } }) => page(await services.api.reference(surface)),
});

/** The reference of the API for people, from the same rows as `/openapi.json`. */
export default define.page<typeof handler>((
  { data, state: { services: { surfaces } } },
) => (
  <>
    <PageHead
      title="API reference"
      description="The operations of the API, with examples."
      styles="docs"
    />
    <ApiReference
      groups={data}
      verifierUrl={surfaces.url("foundation", "/verifier")}
    />
  </>
));
