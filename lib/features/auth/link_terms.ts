/** The terms of sign-in links that pages and mails state. */
import { HOUR_MS, MINUTE_MS, plural } from "../../base/time.ts";

/** Spec 8: a magic link lives for 15 minutes. */
export const TOKEN_LIFETIME_MS = 15 * MINUTE_MS;

/** The lifetime as text: `15 minutes`. */
export const TOKEN_LIFETIME = plural(TOKEN_LIFETIME_MS / MINUTE_MS, "minute");

/** Spec 8: how many links one address gets in each {@linkcode LINK_WINDOW_MS}. */
export const LINKS_PER_HOUR = 3;

/** The period in which links and requests for links are counted. */
export const LINK_WINDOW_MS = HOUR_MS;
