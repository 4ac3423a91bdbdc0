import { renderCodePage } from "../../components/codes/CodePage.tsx";
import { route } from "../../lib/app/state.ts";

/** The page where a holder signs in with a code by SMS or call. */
export const handler = route({ GET: (ctx) => renderCodePage(ctx) });
