/** The events of webhooks, and their ids. */
import { DIGITS } from "../../base/crockford.ts";
import {
  DOCUMENT_EVENTS,
  type DocumentRow,
  formatDocumentId,
  type OtherIssuer,
} from "../documents/mod.ts";
import type { DeliveryRow } from "./rows.ts";

/** The types of events that endpoints receive. */
export const WEBHOOK_EVENTS = [
  ...DOCUMENT_EVENTS,
  "batch.completed",
  "batch.stopped",
  "batch.undone",
] as const;
export type WebhookEventType = typeof WEBHOOK_EVENTS[number];

/** The event that an issuer sends to its own endpoint. Every endpoint receives it. */
export const TEST_EVENT = "webhook.test";

/** An event as it is sent, the same to all endpoints. */
export type WebhookEvent = Pick<DeliveryRow, "id" | "type" | "body" | "created_at">;

/** The ids of events. */
export const EVENT_ID = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Creates the ids of events, whose order as text is that of time, as that of ULIDs: 48 bits of time and 80
 * random ones. Within a millisecond, those of one process are in the order in which they were created.
 */
export function createEventIds(): (now: number) => string {
  let last = 0;
  let random: number[] = [];
  return (now) => {
    if (now > last) {
      last = now;
      random = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte & 31);
    } else {
      for (let i = random.length - 1; i >= 0 && (random[i] = (random[i] + 1) % 32) === 0;) i--;
    }
    const time = Array.from({ length: 10 }, (_, i) => Math.floor(last / 32 ** (9 - i)) % 32);
    return `msg_${[...time, ...random].map((digit) => DIGITS[digit]).join("")}`;
  };
}

/** Creates an event with the payload of Standard Webhooks. `data` must contain no names or addresses of people. */
export function newEvent(
  type: WebhookEventType | typeof TEST_EVENT,
  data: Readonly<Record<string, unknown>>,
  { id, now }: { id: string; now: number },
): WebhookEvent {
  const timestamp = new Date(now).toISOString();
  const body = JSON.stringify({ type, timestamp, data });
  return { id, type, body, created_at: timestamp };
}

/**
 * Returns what an event says about a document: which one it is and its state, who else has registered its file
 * if the event is about that, and nothing about a person.
 */
export function documentData(document: DocumentRow, url: string, other?: OtherIssuer) {
  const { number, state } = document.versions.at(-1)!;
  return {
    id: formatDocumentId(document.id).toLowerCase(),
    external_id: document.external_id ?? null,
    test: document.test ?? false,
    state,
    version: number,
    url,
    ...other && {
      also_registered_by: {
        issuer: other.name,
        issuer_domain: other.domain?.name ?? null,
        issuer_domain_verified_at: other.domain?.verifiedOn ?? null,
        registered_at: other.at,
      },
    },
  };
}
