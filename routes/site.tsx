import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { define } from "../lib/state.ts";

/** The qualification site's home page on the workbench. */
export default define.page(({ state, url }) => <SiteHome state={state} url={url} />);
