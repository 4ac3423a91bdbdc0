import { page } from "fresh";
import { PrivacyPage } from "../components/pages/PrivacyPage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

export default define.page<typeof handler>(({ state }) => <PrivacyPage state={state} />);
