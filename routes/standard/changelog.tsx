import { ChangelogPage } from "../../components/standard/ChangelogPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <ChangelogPage state={state} />);
