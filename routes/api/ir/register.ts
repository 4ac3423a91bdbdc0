import { registerEndpoint } from "../../../lib/contact/register_endpoint.tsx";
import { define } from "../../../lib/state.ts";

/** Registers an enquiry (spec 4.6). */
export const handler = define.handlers(registerEndpoint);
