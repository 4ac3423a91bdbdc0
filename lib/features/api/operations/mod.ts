import { withCommonResponses } from "../common_responses.ts";
import type { Operation } from "../operation.ts";
import { BATCH_OPERATIONS } from "./batches.ts";
import { CHECK_OPERATIONS } from "./checks.ts";
import { DISCOVERY_OPERATIONS } from "./discovery.ts";
import { HOLDER_OPERATIONS } from "./holder.ts";
import { ISSUING_OPERATIONS } from "./issuing.ts";
import { QUALIFICATION_OPERATIONS } from "./qualifications.ts";
import { KEY_OPERATIONS } from "./keys.ts";
import { RECORD_OPERATIONS } from "./records.ts";
import { SIGN_IN_OPERATIONS } from "./sign_in.ts";
import { WEBHOOK_OPERATIONS } from "./webhooks.ts";

export const OPERATIONS: readonly Operation[] = [
  ...RECORD_OPERATIONS,
  ...CHECK_OPERATIONS,
  ...QUALIFICATION_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...HOLDER_OPERATIONS,
  ...ISSUING_OPERATIONS,
  ...BATCH_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...KEY_OPERATIONS,
  ...DISCOVERY_OPERATIONS,
].map(withCommonResponses);
