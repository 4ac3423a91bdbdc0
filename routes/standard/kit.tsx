import { KitPage } from "../../components/standard/KitPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <KitPage state={state} />);
