import { GovernancePage } from "../components/marketing/GovernancePage.tsx";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <GovernancePage state={state} />);
