import { CompletePage } from "../../components/standard/CompletePage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <CompletePage state={state} />);
