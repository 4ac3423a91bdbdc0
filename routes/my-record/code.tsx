import { renderCodePage } from "../../components/codes/CodePage.tsx";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../lib/app/state.ts";

/** The page where a holder signs in with a code by SMS or call. */
export const handler = define.handlers(endpoint<State>({ GET: (ctx) => renderCodePage(ctx) }));
