import { verifyEndpoint } from "../../lib/sign_in/mod.ts";
import { define } from "../../lib/state.ts";

/** Where the mailed link leads. */
export const handler = define.handlers(verifyEndpoint);
