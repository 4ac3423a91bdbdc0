import { SecurityPage } from "../components/marketing/SecurityPage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <SecurityPage state={state} />);
