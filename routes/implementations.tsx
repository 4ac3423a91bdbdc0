import { ImplementationsPage } from "../components/marketing/ImplementationsPage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <ImplementationsPage state={state} />);
