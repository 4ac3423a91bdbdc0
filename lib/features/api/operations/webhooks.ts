/** Descriptions of the operations on issuers' webhooks and their deliveries. */
import { z } from "zod";
import {
  endpointChangeSchema,
  newEndpointSchema,
  replaySchema,
  rotationSchema,
  webhookDeliveryListSchema,
  type WebhookDeliveryObject,
  webhookListSchema,
  type WebhookObject,
  webhookSchema,
  webhookSecretSchema,
} from "../../webhooks/mod.ts";
import { invalid, type Operation, type OperationError } from "../operation.ts";
import { CONFLICT } from "./issuing.ts";

const ID = "5b7ee413-a204-4f7f-a714-0b0836c04f2a";
const DELIVERY = "msg_01KJ3QN4G0T8ZC2R6WXA9B5M7E";

const WEBHOOK: WebhookObject = {
  object: "webhook",
  id: ID,
  test: true,
  url: "https://records.harbour.example/events",
  description: "Student records",
  events: ["document.accepted", "document.refused"],
  state: "active",
  paused_reason: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: "2026-11-20T09:30:00.000Z",
};
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

const DELIVERED: WebhookDeliveryObject = {
  object: "webhook_delivery",
  id: DELIVERY,
  type: "document.accepted",
  state: "delivered",
  attempts: 1,
  response_status: 204,
  error: null,
  latency_ms: 184,
  created_at: "2026-11-20T09:31:12.000Z",
  attempted_at: "2026-11-20T09:31:12.200Z",
  next_attempt_at: null,
  payload: {
    type: "document.accepted",
    timestamp: "2026-11-20T09:31:12.000Z",
    data: {
      id: "k3v9-qxw2-m7rb-t4hd",
      external_id: "2026-0117",
      test: true,
      state: "current",
      version: 1,
      url: "https://trust.example/d/K3V9-QXW2-M7RB-T4HD",
    },
  },
  headers: {
    "content-type": "application/json",
    "webhook-id": DELIVERY,
    "webhook-timestamp": "1795167072",
    "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
};

const webhookId = z.string().describe("The `id` of the webhook.");
const deliveryId = z.string().describe("The `id` of the delivery.");
const params = z.object({ id: webhookId });

const UNKNOWN: OperationError = {
  codes: ["not_found"],
  description: "The issuer has no such webhook in the mode of the key.",
};
const UNKNOWN_DELIVERY: OperationError = {
  codes: ["not_found"],
  description: "The issuer has no such webhook in the mode of the key, or it has no such delivery.",
};
const PAUSED = CONFLICT("Or `conflict`: the webhook is paused.", "conflict");
const BAD_URL = invalid(
  "A member is invalid, or the URL leads to an address that is not on the public internet.",
);

const issuing = { group: "Webhooks", surfaces: ["api"], keyScope: "webhooks:write" } as const;
const one = { ...issuing, params } as const;
const once = { method: "post", requestHeaders: ["Idempotency-Key"] } as const;

const optionalHeaders = ["Idempotent-Replayed"] as const;
/** The webhook after a change. */
const CHANGED = { description: "The webhook.", schema: webhookSchema, optionalHeaders } as const;
const WITH_SECRET = {
  description: "The webhook and its secret.",
  schema: webhookSecretSchema,
  optionalHeaders,
} as const;

export const listWebhooks = {
  ...issuing,
  id: "listWebhooks",
  method: "get",
  path: "/api/documents/webhooks",
  summary: "List webhooks",
  description: "Returns all webhooks of the issuer in the mode of the key, oldest first.",
  responses: { 200: { description: "The webhooks.", schema: webhookListSchema } },
  errors: {},
  example: { response: { data: [WEBHOOK] } },
} satisfies Operation;

export const createWebhook = {
  ...issuing,
  id: "createWebhook",
  ...once,
  path: "/api/documents/webhooks",
  summary: "Add a webhook",
  description: "Adds a URL that receives the events of the issuer's documents, as Standard " +
    "Webhooks: `webhook-signature` is an HMAC with the `secret`, which only this response " +
    "contains. A test key adds a webhook for the events of tests. The URL is https on port 443, " +
    "and all addresses of its host must be on the public internet. Redirects are not followed. For tests, it " +
    "can also be on your own machine, such as `http://localhost:3000/events`: then nothing is sent, and a " +
    "program of yours posts the deliveries there. " +
    "Events are retried over three days; then the webhook is paused.",
  body: newEndpointSchema,
  responses: { 201: WITH_SECRET },
  errors: {
    400: BAD_URL,
    409: CONFLICT("Or `conflict`: there are 16 webhooks in this mode already.", "conflict"),
  },
  example: {
    body: {
      url: WEBHOOK.url,
      description: WEBHOOK.description,
      events: WEBHOOK.events,
    },
    response: { ...WEBHOOK, secret: SECRET },
  },
} satisfies Operation;

export const readWebhook = {
  ...one,
  id: "readWebhook",
  method: "get",
  path: "/api/documents/webhooks/:id",
  summary: "Get a webhook",
  description: "Returns a webhook, without its secret.",
  responses: { 200: { description: "The webhook.", schema: webhookSchema } },
  errors: { 404: UNKNOWN },
  example: { params: { id: ID }, response: WEBHOOK },
} satisfies Operation;

export const changeWebhook = {
  ...one,
  id: "changeWebhook",
  ...once,
  path: "/api/documents/webhooks/:id",
  summary: "Change a webhook",
  description: "Changes the URL, the description or the types of events. Members that are absent " +
    "stay as they are. After a change of the URL, events that waited are sent there.",
  body: endpointChangeSchema,
  responses: { 200: CHANGED },
  errors: { 400: BAD_URL, 404: UNKNOWN, 409: CONFLICT("") },
  example: {
    params: { id: ID },
    body: { events: ["document.accepted", "document.refused"] },
    response: WEBHOOK,
  },
} satisfies Operation;

export const removeWebhook = {
  ...one,
  id: "removeWebhook",
  method: "delete",
  path: "/api/documents/webhooks/:id",
  summary: "Remove a webhook",
  description: "Removes a webhook, its secrets and its deliveries. It receives nothing more.",
  responses: { 204: { description: "The webhook is removed." } },
  errors: { 404: UNKNOWN },
  example: { params: { id: ID } },
} satisfies Operation;

export const rotateWebhookSecret = {
  ...one,
  id: "rotateWebhookSecret",
  ...once,
  path: "/api/documents/webhooks/:id/rotate",
  summary: "Replace the secret of a webhook",
  description: "Returns a new secret. For 24 hours, deliveries are signed with both, so that the " +
    "server can change its secret at any time. If somebody else knows the previous one, send " +
    "`keep_previous: false`, and it signs nothing more.",
  body: rotationSchema,
  responses: { 200: WITH_SECRET },
  errors: { 400: invalid("A member is invalid."), 404: UNKNOWN, 409: CONFLICT("") },
  example: {
    params: { id: ID },
    body: { keep_previous: true },
    response: {
      ...WEBHOOK,
      previous_secret_until: "2026-11-21T09:30:00.000Z",
      secret: SECRET,
    },
  },
} satisfies Operation;

export const pauseWebhook = {
  ...one,
  id: "pauseWebhook",
  ...once,
  path: "/api/documents/webhooks/:id/pause",
  summary: "Pause a webhook",
  description: "Sends nothing more to the webhook. Its events are held for 30 days, at most " +
    "20,000 of them.",
  responses: { 200: CHANGED },
  errors: { 404: UNKNOWN, 409: CONFLICT("") },
  example: {
    params: { id: ID },
    response: { ...WEBHOOK, state: "paused", paused_reason: "issuer" },
  },
} satisfies Operation;

export const resumeWebhook = {
  ...one,
  id: "resumeWebhook",
  ...once,
  path: "/api/documents/webhooks/:id/resume",
  summary: "Resume a webhook",
  description: "Sends the events that were held while the webhook was paused, and later ones. " +
    "Events that had failed before are not sent; replay them. A webhook on your own machine stays paused.",
  responses: { 200: CHANGED },
  errors: {
    404: UNKNOWN,
    409: CONFLICT(""),
  },
  example: { params: { id: ID }, response: WEBHOOK },
} satisfies Operation;

export const testWebhook = {
  ...one,
  id: "testWebhook",
  ...once,
  path: "/api/documents/webhooks/:id/test",
  summary: "Send a test event",
  description: "Sends an event of the type `webhook.test`, whatever types the webhook receives.",
  responses: {
    202: {
      description: "The event is being sent.",
      schema: z.object({ delivery: deliveryId }),
      optionalHeaders,
    },
  },
  errors: { 404: UNKNOWN, 409: PAUSED },
  example: { params: { id: ID }, response: { delivery: DELIVERY } },
} satisfies Operation;

export const replayWebhook = {
  ...one,
  id: "replayWebhook",
  ...once,
  path: "/api/documents/webhooks/:id/replay",
  summary: "Send failed events again",
  description: "Sends all events again that happened since a time, and that the webhook has " +
    "failed to accept in all attempts. Each keeps its `webhook-id`. Events are kept for 30 days.",
  body: replaySchema,
  responses: {
    202: {
      description: "The number of events.",
      optionalHeaders,
      schema: z.object({ count: z.int().describe("The number of events that are sent again.") }),
    },
  },
  errors: { 400: invalid("The time is invalid."), 404: UNKNOWN, 409: CONFLICT("") },
  example: {
    params: { id: ID },
    body: { since: "2026-11-20T00:00:00.000Z" },
    response: { count: 3 },
  },
} satisfies Operation;

export const listWebhookDeliveries = {
  ...one,
  id: "listWebhookDeliveries",
  method: "get",
  path: "/api/documents/webhooks/:id/deliveries",
  summary: "List the deliveries of a webhook",
  description:
    "Returns the last 100 deliveries, the newest events first. An event is listed once " +
    "its first attempt has ended, or while it is held. Those of tests have the headers with which you can " +
    "post them to your own machine.",
  responses: { 200: { description: "The deliveries.", schema: webhookDeliveryListSchema } },
  errors: { 404: UNKNOWN },
  example: { params: { id: ID }, response: { data: [DELIVERED] } },
} satisfies Operation;

export const replayWebhookDelivery = {
  ...issuing,
  params: z.object({ id: webhookId, delivery: deliveryId }),
  id: "replayWebhookDelivery",
  ...once,
  path: "/api/documents/webhooks/:id/deliveries/:delivery/replay",
  summary: "Send an event again",
  description:
    "Sends the event of a delivery again, with the same `webhook-id` and the same body. " +
    "If it waits for its next attempt, it is tried at once.",
  responses: {
    202: {
      description: "The event is being sent.",
      schema: z.object({ delivery: deliveryId }),
      optionalHeaders,
    },
  },
  errors: { 404: UNKNOWN_DELIVERY, 409: PAUSED },
  example: { params: { id: ID, delivery: DELIVERY }, response: { delivery: DELIVERY } },
} satisfies Operation;

/** The operations on the webhooks of an issuer. A test key sees only webhooks for tests. */
export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  listWebhooks,
  createWebhook,
  readWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhookSecret,
  pauseWebhook,
  resumeWebhook,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  replayWebhookDelivery,
];
