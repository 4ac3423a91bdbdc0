import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state, url }) => (
  <SiteHome
    state={state}
    url={url}
  />
));
