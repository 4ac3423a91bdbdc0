import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { define } from "../lib/state.ts";

export default define.page(({ state, url }) => <SiteHome state={state} url={url} />);
