import { confirmEndpoint } from "../lib/contact/confirm_endpoint.tsx";
import { define } from "../lib/state.ts";

/** Where the contact form's mail leads. */
export const handler = define.handlers(confirmEndpoint);
