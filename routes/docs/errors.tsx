import { ErrorCodesPage } from "../../components/api/ErrorCodesPage.tsx";
import { define, sharedPage } from "../../lib/app/state.ts";

export const handler = sharedPage();

/** The codes of the API for issuers. */
export default define.page<typeof handler>(() => <ErrorCodesPage />);
