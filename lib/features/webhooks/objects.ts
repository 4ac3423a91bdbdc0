/** Webhooks and deliveries as the API shows them. */
import { z } from "zod";
import type { DeliveryRow, EndpointRow } from "./rows.ts";

const time = z.iso.datetime();

/** A webhook as the API returns it. */
export const webhookSchema = z.object({
  object: z.literal("webhook"),
  id: z.string(),
  test: z.boolean(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()).nullable().meta({
    description:
      "The types of events that it receives; null for all, including those of later versions.",
  }),
  state: z.enum(["active", "paused"]),
  paused_reason: z.enum(["gone", "failing", "issuer", "administrator", "own_machine"]).nullable()
    .meta({
      description:
        "`gone`: the server responded with 410; `failing`: it accepted no event for three " +
        "days; `issuer`: paused by you, or by your contact; `administrator`: paused by us; `own_machine`: " +
        "the URL is on your own machine, so a program of yours fetches the deliveries.",
    }),
  failing_since: time.nullable().meta({
    description: "When the first of the attempts failed that have all failed since.",
  }),
  previous_secret_until: time.nullable().meta({
    description: "Until then, deliveries are also signed with the previous secret.",
  }),
  created_at: time,
}).meta({ id: "Webhook" });

/** A webhook with its secret, which no other response contains. */
export const webhookSecretSchema = webhookSchema.extend({
  secret: z.string().meta({ description: "Shown once. Store it where your server can read it." }),
}).meta({ id: "WebhookWithSecret" });

/** An event for one webhook. */
export const webhookDeliverySchema = z.object({
  object: z.literal("webhook_delivery"),
  id: z.string().meta({ description: "The `webhook-id` of every attempt." }),
  type: z.string(),
  state: z.enum(["delivered", "retrying", "failed", "held"]),
  attempts: z.int(),
  response_status: z.int().nullable().meta({ description: "The status of the last response." }),
  error: z.string().nullable().meta({ description: "Why the last attempt failed." }),
  latency_ms: z.int().nullable(),
  created_at: time,
  attempted_at: time.nullable(),
  next_attempt_at: time.nullable(),
  payload: z.record(z.string(), z.unknown()).meta({
    description:
      "The body that is sent: `type`, `timestamp` and `data`. The data of `document.also_registered` has " +
      "`also_registered_by` with `issuer`, `issuer_domain`, `issuer_domain_verified_at` and `registered_at`.",
  }),
  headers: z.object({
    "content-type": z.string(),
    "webhook-id": z.string(),
    "webhook-timestamp": z.string(),
    "webhook-signature": z.string(),
  }).nullable().meta({
    description:
      "Freshly signed headers, with which a program of yours can post the payload to your " +
      "own machine. Null for live documents. The bytes of the body are those of `JSON.stringify(payload)`.",
  }),
}).meta({ id: "WebhookDelivery" });

/** A list of webhooks, as the API returns it. */
export const webhookListSchema = z.object({ data: z.array(webhookSchema) });
export const webhookDeliveryListSchema = z.object({ data: z.array(webhookDeliverySchema) });

export type WebhookObject = z.infer<typeof webhookSchema>;
export type WebhookDeliveryObject = z.infer<typeof webhookDeliverySchema>;

/** Returns an endpoint as the API shows it, without its secrets. */
export const webhookObject = (row: EndpointRow, now: number): WebhookObject => ({
  object: "webhook",
  id: row.id,
  test: row.mode === "test",
  url: row.url,
  description: row.description,
  events: row.events,
  state: row.state,
  paused_reason: row.reason,
  failing_since: row.failing_since,
  previous_secret_until: hasEnded(row.previous_until, now) ? null : row.previous_until,
  created_at: row.created_at,
});

const hasEnded = (until: string | null, now: number): boolean =>
  until !== null && Date.parse(until) <= now;

/** Returns a delivery as the API shows it. */
export const deliveryObject = (
  row: DeliveryRow,
  headers: WebhookDeliveryObject["headers"],
): WebhookDeliveryObject => ({
  object: "webhook_delivery",
  id: row.id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  response_status: row.status,
  error: row.error,
  latency_ms: row.latency_ms,
  created_at: row.created_at,
  attempted_at: row.attempted_at,
  next_attempt_at: row.next_attempt_at,
  payload: JSON.parse(row.body),
  headers,
});
