import { page } from "fresh";
import { ComparePage } from "../components/qualifications/ComparePage.tsx";
import {
  compareUrl,
  isComparisonUrl,
  readComparison,
} from "../lib/features/qualifications/comparison.ts";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage({
  GET(ctx) {
    const { catalogue } = ctx.state.services;
    const chosen = ctx.url.searchParams.getAll("code");
    // The checkboxes of the search results have one name.
    if (chosen.length > 0) return ctx.redirect(compareUrl(chosen[0], chosen[1]));
    return page(readComparison(catalogue, ctx.url));
  },
}, ({ state, url }) => isComparisonUrl(state.services.catalogue, url));

export default define.page<typeof handler>(({ data, state }) => (
  <ComparePage state={state} {...data} />
));
