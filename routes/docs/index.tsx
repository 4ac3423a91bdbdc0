import { asset, Head } from "fresh/runtime";
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
    <Head>
      <title>API reference</title>
      <meta name="description" content="The operations of the API, with examples." />
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/docs.css")} />
    </Head>
    <ApiReference
      groups={data}
      verifierUrl={surfaces.url("foundation", "/verifier")}
    />
  </>
));
