import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <MarketingHome state={state} />);
