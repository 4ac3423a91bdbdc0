import { page } from "fresh";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { isSearchUrl, savedItems } from "../lib/features/qualifications/mod.ts";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage({
  GET: async (ctx) => page({ items: await savedItems(ctx.state) }),
}, ({ url }) => isSearchUrl(url));

export default define.page<typeof handler>(({ data, state, url }) => (
  <SiteHome state={state} url={url} {...data} />
));
