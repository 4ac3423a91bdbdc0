import { page } from "fresh";
import { LogAboutPage } from "../../components/log/LogAboutPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

export default define.page<typeof handler>(({ state }) => <LogAboutPage state={state} />);
