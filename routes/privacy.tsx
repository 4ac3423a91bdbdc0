import { PublishedPage } from "../components/trust_pages/PublishedPage.tsx";
import { define, sharedPage } from "../lib/app/state.ts";
import { respondWithPage, type ShownPage } from "../lib/features/trust_pages/mod.ts";

export const handler = sharedPage<ShownPage>({
  GET(ctx) {
    ctx.state.scripts = false;
    return respondWithPage(ctx, "privacy");
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <PublishedPage shown={data} state={state} />
));
