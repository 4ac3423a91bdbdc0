import { DAY_MS, HOUR_MS } from "../../../base/time.ts";

/** How long the link that undoes an event is valid. */
export const UNDO_LIFETIME_MS = 7 * DAY_MS;

/** How long a deletion can be cancelled before it takes effect: as long as its notice's link works. */
export const DELETION_DELAY_MS = UNDO_LIFETIME_MS;

/** How long a recovery can be cancelled before the new address gets a link. */
export const RECOVERY_DELAY_MS = 72 * HOUR_MS;
