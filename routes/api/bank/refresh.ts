import { refreshEndpoint } from "../../../lib/ops/bank_endpoints.ts";
import { define } from "../../../lib/state.ts";

/** Fetches what is cached again. */
export const handler = define.handlers(refreshEndpoint);
