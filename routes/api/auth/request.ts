import { endpoint } from "../../../lib/http/endpoint.ts";
import { requestEndpoint } from "../../../lib/sign_in/mod.ts";
import { define } from "../../../lib/state.ts";

/** Mails a link to sign in with. */
export const handler = define.handlers(endpoint({ POST: requestEndpoint }));
