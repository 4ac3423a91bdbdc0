import { summaryEndpoint } from "../../../lib/ops/bank_endpoints.ts";
import { define } from "../../../lib/state.ts";

/** The summary card's figures. */
export const handler = define.handlers(summaryEndpoint);
