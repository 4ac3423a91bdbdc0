import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { define } from "../lib/state.ts";

export default define.page(({ state }) => <MarketingHome state={state} />);
