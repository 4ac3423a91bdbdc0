import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <MarketingHome state={state} />);
