import { KitPage } from "../../components/standard/KitPage.tsx";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <KitPage state={state} />);
