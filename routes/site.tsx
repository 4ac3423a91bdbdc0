import { page } from "fresh";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { savedItems } from "../lib/qualifications/mod.ts";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler({
  GET: async (ctx) => page({ items: await savedItems(ctx.state) }),
});

export default define.page<typeof handler>(({ data, state, url }) => (
  <SiteHome state={state} url={url} {...data} />
));
