/**
 * Events of documents for their issuers' servers, as Standard Webhooks (docs/webhooks.md).
 *
 * @module
 */
import { bind } from "../../base/bind.ts";
import { createWebhookApi } from "./api.ts";
import { deliveriesOf, listDeliveries, recentOf } from "./deliveries.ts";
import { createEndpoints } from "./endpoints.ts";
import { createWebhooksOfKeys } from "./of_keys.ts";
import type { WebhookOptions } from "./options.ts";
import { createQueue } from "./queue.ts";
export { isFailing } from "./attempts.ts";
export { type EndpointCreator } from "./endpoints.ts";
export { documentData, type WebhookEventType } from "./events.ts";
export { WEBHOOK_OCCASIONS, WEBHOOK_PAYLOADS } from "./event_schemas.ts";
export * from "./input.ts";
export { ownerOf, refOf } from "./caller.ts";
export * from "./objects.ts";
export { webhookAttempts, webhookDropped } from "./options.ts";
export { WEBHOOK_PAUSED } from "./pausing.ts";
export { POST_ERRORS, type PostError } from "./post.ts";
export { placeOf, webhooksOfKey } from "./of_keys.ts";
export { MOST_DUE, WEBHOOK_CHANNEL, WEBHOOK_RETRY_MS } from "./outgoing.ts";
export {
  type DeliveryRow,
  type EndpointRef,
  type EndpointRow,
  MAX_ENDPOINTS,
  webhookTables,
} from "./rows.ts";
export { OVERLAP_MS, resealEndpoints } from "./secrets.ts";

/** The webhooks of issuers. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** Creates the webhooks of issuers. Nothing is read or sent before the first call. */
export function createWebhooks(options: WebhookOptions) {
  const queue = createQueue(options);
  const endpoints = createEndpoints(options, queue);
  return {
    ...queue,
    ...endpoints,
    /** The operations of issuers. */
    api: createWebhookApi({ ...options, ...queue, ...endpoints }),
    /** Those of API keys, which are listed when a key is revoked. */
    ofKeys: createWebhooksOfKeys(options, endpoints),
    ...bind(options, { deliveries: deliveriesOf, listDeliveries, recent: recentOf }),
  };
}
