import { verifyEndpoint } from "../../../lib/sign_in/mod.ts";
import { define } from "../../../lib/state.ts";

/** The same as `/auth/verify`, for programs. */
export const handler = define.handlers(verifyEndpoint);
