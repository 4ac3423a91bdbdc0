import { page } from "fresh";
import { StandardIndex } from "../../components/standard/StandardIndex.tsx";
import { readQuery } from "../../lib/features/standard/search.ts";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage({
  GET: (ctx) => page({ query: readQuery(ctx.url) }),
});

export default define.page<typeof handler>(({ data, state }) => (
  <StandardIndex query={data.query} state={state} />
));
