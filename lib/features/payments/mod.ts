/**
 * Payments, as the providers of the two organisations report them by webhook. An event that arrives
 * late or twice changes nothing that a newer one has set.
 *
 * @module
 */
export { type PaymentFilters, paymentList, paymentPath, type PaymentQuery } from "./filters.ts";
export type { HistoryEvent } from "./history.ts";
export { dailyChart, PAGE_SIZE, type PaymentList } from "./list.ts";
export { decimalText, formatMoney } from "./money.ts";
export type { Payments } from "./payments.ts";
export { type SentEvent, STAND_IN_ACTIONS, standInAction } from "./stand_in.ts";
export { type PaymentStatus, STATUS_LABELS, statusOf } from "./status.ts";
export { payerText } from "./event.ts";
export type { Payment } from "./rows.ts";
