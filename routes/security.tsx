import { SecurityPage } from "../components/marketing/SecurityPage.tsx";
import { define, sharedPage } from "../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <SecurityPage state={state} />);
