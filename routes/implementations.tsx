import { ImplementationsPage } from "../components/marketing/ImplementationsPage.tsx";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <ImplementationsPage state={state} />);
