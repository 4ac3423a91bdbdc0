import { inDays, inHours, inMinutes, inYears, SECOND_MS } from "../../../base/time.ts";
import { BROWSER_LIFETIME_MS } from "../../../platform/http/browser_cookie.ts";
import { THEME_LIFETIME_S } from "../../../platform/http/theme.ts";
import { AUDIT_LIFETIME_MS } from "../../audit/mod.ts";
import { ASKED_MS, SESSION_LIFETIME_MS } from "../../auth/mod.ts";
import { GRANT_LIFETIME_MS, SHARED_READING_MS } from "../../documents/mod.ts";
import { OFFER_MS } from "../../issuing/mod.ts";
import { DELETION_DELAY_MS, UNDO_LIFETIME_MS } from "../../records/mod.ts";

/** How long the things that pages mention are stored or work, in words. */
export const LIFETIMES = {
  asked: inHours(ASKED_MS),
  auditLog: inYears(AUDIT_LIFETIME_MS),
  browser: inMinutes(BROWSER_LIFETIME_MS),
  deletionWaits: inDays(DELETION_DELAY_MS),
  grant: inDays(GRANT_LIFETIME_MS),
  offer: inHours(OFFER_MS),
  session: inDays(SESSION_LIFETIME_MS),
  sharedReading: inHours(SHARED_READING_MS),
  theme: inDays(THEME_LIFETIME_S * SECOND_MS),
  undo: inDays(UNDO_LIFETIME_MS),
};
