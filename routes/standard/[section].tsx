import { SectionPage } from "../../components/standard/SectionPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";
import { respondWithPage } from "../../lib/features/standard/http.ts";
import type { ShownPage } from "../../lib/features/standard/pages/mod.ts";

export const handler = sharedPage<ShownPage>({
  GET: (ctx) => respondWithPage(ctx, `standard/${ctx.params.section}`),
});

export default define.page<typeof handler>(({ data, state, params }) => (
  <SectionPage id={params.section} shown={data} state={state} />
));
