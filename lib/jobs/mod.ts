/** Background work: jobs under a lease, and the outbox of what is to be sent. */
export * from "./jobs.ts";
export * from "./outbox.ts";
export { COUNTED, forgetDeliveries, type OutboxState, readOutbox } from "./outbox_rows.ts";
