import { GovernancePage } from "../components/marketing/GovernancePage.tsx";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <GovernancePage state={state} />);
