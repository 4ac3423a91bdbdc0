/** Background work: jobs that hold a lease, and the outbox of messages to send. */
export * from "./jobs.ts";
export * from "./outbox.ts";
export { COUNTED, forgetDeliveries, type Labels, readOutbox } from "./outbox_rows.ts";
