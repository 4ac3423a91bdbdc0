import { VerifierPage } from "../../components/api/VerifierPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

/** The module that verifies, for programs and pages of others. */
export const handler = sharedPage();

export default define.page<typeof handler>(({ state }) => <VerifierPage state={state} />);
