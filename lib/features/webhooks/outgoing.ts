/** The events in the outbox, and how many each webhook may have there. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { createOutbox, type LostMessage, type Queued } from "../../platform/jobs/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { attempt, type Message } from "./attempts.ts";
import type { WebhookOptions } from "./options.ts";
import {
  aboutEndpoint,
  type DeliveryRow,
  type EndpointRef,
  type Mode,
  readDelivery,
  saveDelivery,
} from "./rows.ts";

/** The channel of the outbox for events of issuers. */
export const WEBHOOK_CHANNEL = "webhook";

/** Delays after each failed attempt, which spread the attempts over three days. */
export const WEBHOOK_RETRY_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20.5 * HOUR_MS,
];
const JITTER = 0.05;
/** Longer than all attempts, even if the site is down for days. */
const MESSAGE_LIFETIME_MS = 7 * DAY_MS;

/** The number of deliveries in progress at once, which is high because a server may take 15 seconds. */
const SLOTS = 32;
/** How many events one process sends to the endpoints of one issuer at once, and how many of them to one. */
const ISSUER_LANES = 8;
const ENDPOINT_LANES = 4;
/** The most messages of one endpoint in the outbox that are due. Further ones are held until there is room. */
export const MOST_DUE = 100;

/** The messages on their way, see {@link createOutgoing}. */
export type Outgoing = ReturnType<typeof createOutgoing>;

/**
 * Creates the outbox of events.
 *
 * @param onAttempt called after each attempt, with whether nothing is left to do for its message
 */
export function createOutgoing(
  options: WebhookOptions,
  onAttempt: (endpoint: EndpointRef, isDone: boolean) => void,
) {
  const { kv, clock, secrets, log } = options;
  const outbox = createOutbox<Message>({
    kv,
    clock,
    secrets,
    channel: WEBHOOK_CHANNEL,
    retryMs: WEBHOOK_RETRY_MS,
    jitter: JITTER,
    slots: SLOTS,
    async deliver(message, step) {
      const delivery = await attempt(options, message, step);
      onAttempt(message.endpoint, delivery.ok);
      return delivery;
    },
    onFailure({ reason }) {
      if (reason === "unexpected") log({ level: "error", event: "webhook_attempt_failed" });
    },
    addToLoss: addLoss,
  });

  /** Notes in the commit that gives a message up, if that was not the outcome of an attempt. */
  async function addLoss(
    commit: Deno.AtomicOperation,
    { reason, labels }: LostMessage,
  ): Promise<void> {
    const { issuer, endpoint, event } = labels;
    const before = await readDelivery(kv, { endpoint, id: event });
    if (before?.value.state !== "retrying") return;
    const row = { ...before.value, state: "failed", error: reason, next_attempt_at: null } as const;
    const ref = { issuer, mode: labels.mode as Mode, id: endpoint };
    saveDelivery(commit, ref, row, before, clock());
  }

  return {
    /** Adds a message to a commit, to pass to `send` afterwards. */
    add: (commit: Deno.AtomicOperation, message: Message): Promise<Queued<Message>> =>
      outbox.add(commit, message, {
        expiresAt: message.queued_at + MESSAGE_LIFETIME_MS,
        about: aboutEndpoint(message.endpoint.id),
        group: laneOf(message.endpoint),
        labels: labelsOf(message),
      }),
    /** Returns how many more messages of an endpoint there may be. */
    room: async (endpoint: string): Promise<number> =>
      MOST_DUE - await outbox.countDue(aboutEndpoint(endpoint), MOST_DUE),
    send: outbox.send,
    drain: outbox.drain,
    flush: outbox.flush,
  };
}

/**
 * Returns one of the lanes of an endpoint, whose messages are sent one after another. Endpoints share the
 * lanes of their issuer, in both modes, so that an issuer with many slow servers delays only its own events.
 */
function laneOf({ issuer, id }: EndpointRef): string {
  const first = parseInt(sha256(id).slice(0, 8), 16);
  const lane = (first + Math.floor(Math.random() * ENDPOINT_LANES)) % ISSUER_LANES;
  return `${issuer}/${lane}`;
}

/** Returns the message that sends a stored delivery. */
export const messageOf = (
  { id, type, body, created_at, attempts }: DeliveryRow,
  { issuer, mode, id: endpoint }: EndpointRef,
  queued_at: number,
): Message => ({
  id,
  type,
  body,
  created_at,
  endpoint: { issuer, mode, id: endpoint },
  queued_at,
  attempts,
});

/** The labels of a message, with which `addLoss` finds its delivery. They contain no personal data. */
const labelsOf = ({ id, endpoint: { issuer, mode, id: endpoint } }: Message) => ({
  issuer,
  mode,
  endpoint,
  event: id,
});
