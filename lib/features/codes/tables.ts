import { codeTable } from "./codes.ts";
import { codeDays } from "./days.ts";
import { codeAttempts, codeLimits } from "./limits.ts";
import { recordNumbers } from "./number.ts";
import { deliveryTable } from "./providers/deliveries.ts";
import { pendingCalls } from "./providers/pending_calls.ts";

export const codeTables = [
  codeTable,
  codeLimits,
  codeAttempts,
  recordNumbers,
  deliveryTable,
  pendingCalls,
  codeDays,
];
