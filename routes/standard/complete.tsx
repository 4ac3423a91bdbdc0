import { CompletePage } from "../../components/standard/CompletePage.tsx";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <CompletePage state={state} />);
