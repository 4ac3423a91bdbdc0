/**
 * Events of documents for their issuers' servers, as Standard Webhooks (docs/webhooks.md).
 *
 * @module
 */
import { fail, type Failure } from "../../base/result.ts";
import { createWebhookApi } from "./api.ts";
import { createEndpoints } from "./endpoints.ts";
import { createWebhooksOfKeys } from "./of_keys.ts";
import type { WebhookOptions } from "./options.ts";
import { createQueue } from "./queue.ts";
import { type DeliveryRow, type EndpointRef, readEndpoint, recentDeliveries } from "./rows.ts";

export { isFailing } from "./attempts.ts";
export {
  type EndpointCreator,
  type EndpointOwner,
  type EndpointResult,
  type SecretResult,
} from "./endpoints.ts";
export { documentData, TEST_EVENT, WEBHOOK_EVENTS, type WebhookEventType } from "./events.ts";
export { WEBHOOK_OCCASIONS, WEBHOOK_PAYLOADS } from "./event_schemas.ts";
export * from "./input.ts";
export { ownerOf, refOf } from "./caller.ts";
export * from "./objects.ts";
export { webhookAttempts, webhookDropped, type WebhookOptions } from "./options.ts";
export { WEBHOOK_PAUSED } from "./pausing.ts";
export { DEADLINE_MS, POST_ERRORS, type PostError } from "./post.ts";
export { placeOf, webhooksOfKey } from "./of_keys.ts";
export { MOST_DUE, WEBHOOK_CHANNEL, WEBHOOK_RETRY_MS } from "./outgoing.ts";
export { type NewWebhookEvent, type ReplayResult } from "./queue.ts";
export {
  type DeliveryRow,
  type DeliveryState,
  type EndpointRef,
  type EndpointRow,
  MAX_ENDPOINTS,
  MAX_HELD,
  type Mode,
  MOST_SHOWN,
  type PauseReason,
  webhookTables,
} from "./rows.ts";
export { OVERLAP_MS, resealEndpoints } from "./secrets.ts";
export { KEPT } from "./trim.ts";

/** The webhooks of issuers. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(options: WebhookOptions) {
  const { kv } = options;
  const queue = createQueue(options);
  const endpoints = createEndpoints(options, queue);
  return {
    ...endpoints,
    /** The operations of issuers. */
    api: createWebhookApi({ ...options, ...queue, ...endpoints }),
    /** Those of API keys, which are listed when a key is revoked. */
    ofKeys: createWebhooksOfKeys(options, endpoints),
    add: queue.add,
    sendTest: queue.sendTest,
    replay: queue.replay,
    replayFailed: queue.replayFailed,
    /** Returns the last deliveries of an endpoint, the newest events first. */
    async deliveries(
      ref: EndpointRef,
      limit?: number,
    ): Promise<{ ok: true; deliveries: DeliveryRow[] } | Failure<"not_found">> {
      if ((await readEndpoint(kv, ref)).value === null) return fail("not_found");
      return { ok: true, deliveries: await recentDeliveries(kv, ref.id, limit) };
    },
    drain: queue.drain,
    flush: queue.flush,
    close: queue.close,
  };
}
