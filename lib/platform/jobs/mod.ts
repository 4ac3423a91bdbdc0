/** Background work: jobs that hold a lease, and the outbox of messages to send. */
export {
  changeDelivery,
  deliveries,
  deliveriesTo,
  type DeliveryRow,
  failedDeliveries,
  findDelivery,
  OUTCOME_LIFETIME_MS,
  readDeliveries,
} from "./deliveries.ts";
export { type DeletesDue, dueRowsJobs } from "./due_rows.ts";
export { JOB_METRICS, jobGauges, OUTBOX_METRICS, outboxGauges } from "./gauges.ts";
export * from "./jobs.ts";
export {
  CLAIM_MS,
  heldOf,
  type LostMessage,
  type MessageOptions,
  type NextMessage,
  type Queued,
} from "./messages.ts";
export { sealedMessages } from "./messages.ts";
export * from "./outbox.ts";
export {
  COUNTED,
  deadLetters,
  forgetDeliveries,
  messages,
  type OutboxRow,
  readOutbox,
} from "./outbox_rows.ts";
export { sweepRows } from "./sweep.ts";
