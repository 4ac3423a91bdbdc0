import { page } from "fresh";
import { CompletePage } from "../../components/standard/CompletePage.tsx";
import type { WholeText } from "../../lib/features/standard/mod.ts";
import { textOf } from "../../lib/features/standard/http.ts";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage<WholeText>({
  GET: ({ state, url }) => page(textOf(state.services.standard, url)),
});

export default define.page<typeof handler>(({ data, state }) => (
  <CompletePage text={data} state={state} />
));
