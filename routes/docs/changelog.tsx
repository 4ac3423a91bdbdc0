import { ChangelogPage } from "../../components/api/ChangelogPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage();

/** The versions of the API. */
export default define.page<typeof handler>(() => <ChangelogPage />);
