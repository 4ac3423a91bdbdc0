import { accountsEndpoint } from "../../../lib/ops/bank_endpoints.ts";
import { define } from "../../../lib/state.ts";

/** The accounts, without their numbers. */
export const handler = define.handlers(accountsEndpoint);
