import { MarketingHome } from "../components/pages/MarketingHome.tsx";
import { define } from "../lib/state.ts";

/** What is `/` on its own surface stands here on the workbench. */
export default define.page(({ state }) => <MarketingHome state={state} />);
