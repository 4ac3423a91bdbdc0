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
import { deliveryObject, type WebhookDeliveryObject } from "./objects.ts";
import {
  type DeliveryRow,
  type EndpointRef,
  type EndpointRow,
  endpoints as endpointRows,
  readEndpoint,
  recentDeliveries,
} from "./rows.ts";
import { signedHeaders } from "./secrets.ts";

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
    /** Returns the last deliveries of an endpoint as the API shows them: those of tests with headers to post them. */
    async listDeliveries(
      ref: EndpointRef,
    ): Promise<{ ok: true; data: WebhookDeliveryObject[] } | Failure<"not_found">> {
      const { value: endpoint } = await readEndpoint(kv, ref);
      if (endpoint === null) return fail("not_found");
      const rows = await recentDeliveries(kv, ref.id);
      const now = options.clock();
      const data = rows.map(async (row) => {
        const signed = ref.mode === "test"
          ? await signedHeaders(options.secrets, endpoint, { ...row, now })
          : null;
        return deliveryObject(row, signed as WebhookDeliveryObject["headers"]);
      });
      return { ok: true, data: await Promise.all(data) };
    },
    /** Returns the last deliveries of all issuers with their endpoints, for the developer's own machine. */
    async recent(limit: number): Promise<{ endpoint: EndpointRow; delivery: DeliveryRow }[]> {
      const found = [];
      for await (const { value: endpoint } of endpointRows.list(kv, [])) {
        const rows = await recentDeliveries(kv, endpoint.id, limit);
        found.push(...rows.map((delivery) => ({ endpoint, delivery })));
      }
      return found.sort((a, b) => a.delivery.id < b.delivery.id ? 1 : -1).slice(0, limit);
    },
    drain: queue.drain,
    flush: queue.flush,
    close: queue.close,
  };
}
