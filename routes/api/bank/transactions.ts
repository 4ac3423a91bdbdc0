import { transactionsEndpoint } from "../../../lib/ops/bank_endpoints.ts";
import { define } from "../../../lib/state.ts";

/** An account's transactions. */
export const handler = define.handlers(transactionsEndpoint);
