import { ChangelogPage } from "../../components/standard/ChangelogPage.tsx";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler();

export default define.page<typeof handler>(({ state }) => <ChangelogPage state={state} />);
