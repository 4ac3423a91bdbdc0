import { page } from "fresh";
import { TermsPage } from "../components/pages/TermsPage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

export default define.page<typeof handler>(({ state }) => <TermsPage state={state} />);
