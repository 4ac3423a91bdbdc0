import { MarketingHome } from "../components/pages/MarketingHome.tsx";
import { define } from "../lib/state.ts";

/** The marketing home page on the workbench. */
export default define.page(({ state }) => <MarketingHome state={state} />);
