import {
  DEVICE_LIFETIME_MS,
  LINK_WINDOW_MS,
  SESSION_LIFETIME_MS,
  UNUSED_ACCOUNT_MS,
} from "../auth/mod.ts";
import { CODE_LIFETIME_MS } from "../codes/mod.ts";
import { DELIVERY_LIFETIME_MS, PENDING_CALL_LIFETIME_MS } from "../codes/providers/mod.ts";
import { ALERT_LIFETIME_MS } from "../alerts/mod.ts";
import { AUDIT_LIFETIME_MS } from "../audit/mod.ts";
import {
  CHALLENGE_REMEMBERED_MS,
  CONFIRMATION_LIFETIME_MS,
  CONFIRMATION_REMEMBERED_MS,
  IDEMPOTENCY_LIFETIME_MS,
} from "../contact/mod.ts";
import {
  CONFIRMATION_LIFETIME_MS as REQUEST_CONFIRMATION_MS,
  DECISION_LIFETIME_MS,
  GRANT_LIFETIME_MS,
  REQUEST_KEPT_MS,
  RESUME_LIFETIME_MS,
  UPLOAD_LIFETIME_MS,
} from "../documents/mod.ts";
import { BROWSER_LIFETIME_MS } from "../../platform/http/browser_cookie.ts";
import { THEME_LIFETIME_S } from "../../platform/http/theme.ts";
import { OUTCOME_LIFETIME_MS } from "../../platform/jobs/mod.ts";
import {
  CLIENT_LIFETIME_MS,
  HANDOFF_LIFETIME_MS,
  REQUEST_LIFETIME_MS,
  UNUSED_CLIENT_LIFETIME_MS,
} from "../oauth/mod.ts";
import { CHALLENGE_LIFETIME_MS, OPTIONS_WINDOW_MS } from "../passkeys/mod.ts";
import { EVENT_LIFETIME_MS, PAYMENT_LIFETIME_MS } from "../payments/mod.ts";
import { PUSH_LIFETIME_MS, UNSEEN_MS } from "../push/mod.ts";
import { RECENT_LIFETIME_MS } from "../qualifications/mod.ts";
import {
  ACCESS_LOG_LIFETIME_MS,
  DELETION_DELAY_MS,
  LINK_CODE_LIFETIME_MS,
  NONCE_LIFETIME_MS,
  RECORD_LINK_STORED_MS,
  RECOVERY_LINK_LIFETIME_MS,
  REPEAT_MS,
  UNDO_LIFETIME_MS,
} from "../records/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plural, SECOND_MS } from "../../base/time.ts";

const days = (ms: number) => plural(ms / DAY_MS, "day");
const hours = (ms: number) => plural(ms / HOUR_MS, "hour");
const minutes = (ms: number) => plural(ms / MINUTE_MS, "minute");

/** How long each kind of data is stored or works, in words. */
export const LASTS = {
  accessLog: days(ACCESS_LOG_LIFETIME_MS),
  alert: days(ALERT_LIFETIME_MS),
  app: days(CLIENT_LIFETIME_MS),
  appUnused: days(UNUSED_CLIENT_LIFETIME_MS),
  auditLog: plural(AUDIT_LIFETIME_MS / (365 * DAY_MS), "year"),
  authorizationRequest: minutes(REQUEST_LIFETIME_MS),
  botCheck: minutes(CHALLENGE_REMEMBERED_MS),
  browser: minutes(BROWSER_LIFETIME_MS),
  call: minutes(PENDING_CALL_LIFETIME_MS),
  code: minutes(CODE_LIFETIME_MS),
  confirmationStored: days(CONFIRMATION_LIFETIME_MS + CONFIRMATION_REMEMBERED_MS),
  confirmationWorks: days(CONFIRMATION_LIFETIME_MS),
  deletionWaits: days(DELETION_DELAY_MS),
  delivery: hours(DELIVERY_LIFETIME_MS),
  device: days(DEVICE_LIFETIME_MS),
  deviceUnseen: days(UNSEEN_MS),
  grant: days(GRANT_LIFETIME_MS),
  handoff: minutes(HANDOFF_LIFETIME_MS),
  linkCode: minutes(LINK_CODE_LIFETIME_MS),
  linksCounted: hours(LINK_WINDOW_MS),
  nonce: minutes(NONCE_LIFETIME_MS),
  outcome: days(OUTCOME_LIFETIME_MS),
  passkeyRequest: minutes(CHALLENGE_LIFETIME_MS),
  passkeysCounted: minutes(OPTIONS_WINDOW_MS),
  payment: plural(PAYMENT_LIFETIME_MS / (365 * DAY_MS), "year"),
  paymentReport: days(EVENT_LIFETIME_MS),
  push: hours(PUSH_LIFETIME_MS),
  recent: days(RECENT_LIFETIME_MS),
  recordLink: days(RECORD_LINK_STORED_MS),
  recovery: days(RECOVERY_LINK_LIFETIME_MS),
  repeats: minutes(REPEAT_MS),
  request: days(REQUEST_KEPT_MS),
  requestUnconfirmed: days(REQUEST_CONFIRMATION_MS),
  requestWaits: days(DECISION_LIFETIME_MS),
  resume: minutes(RESUME_LIFETIME_MS),
  session: days(SESSION_LIFETIME_MS),
  submission: hours(IDEMPOTENCY_LIFETIME_MS),
  theme: days(THEME_LIFETIME_S * SECOND_MS),
  unusedAccount: days(UNUSED_ACCOUNT_MS),
  undo: days(UNDO_LIFETIME_MS),
  // The job that removes it runs every ten minutes.
  upload: hours(Math.ceil((UPLOAD_LIFETIME_MS + 1) / HOUR_MS) * HOUR_MS),
};
