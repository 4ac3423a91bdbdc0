import { SiteHome } from "../components/pages/SiteHome.tsx";
import { define } from "../lib/state.ts";

/** What is `/` on its own surface stands here on the workbench. */
export default define.page(({ state, url }) => <SiteHome state={state} url={url} />);
