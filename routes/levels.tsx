import { page } from "fresh";
import { LevelsPage } from "../components/pages/LevelsPage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

export default define.page<typeof handler>(({ state }) => <LevelsPage state={state} />);
