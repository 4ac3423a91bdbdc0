/** The deliveries of webhooks, for the console, for issuers, and for the developer's own machine. */
import { fail, type Failure } from "../../base/result.ts";
import { deliveryObject, type WebhookDeliveryObject } from "./objects.ts";
import type { WebhookOptions } from "./options.ts";
import {
  type DeliveryRow,
  type EndpointRef,
  type EndpointRow,
  endpoints,
  readEndpoint,
  recentDeliveries,
} from "./rows.ts";
import { signedHeaders } from "./secrets.ts";

/** Returns the last deliveries of an endpoint, the newest events first. */
export async function deliveriesOf(
  { kv }: Pick<WebhookOptions, "kv">,
  ref: EndpointRef,
  limit?: number,
): Promise<{ ok: true; deliveries: DeliveryRow[] } | Failure<"not_found">> {
  if ((await readEndpoint(kv, ref)).value === null) return fail("not_found");
  return { ok: true, deliveries: await recentDeliveries(kv, ref.id, limit) };
}

/** Returns the last deliveries of an endpoint as the API shows them: those of tests with headers to post them. */
export async function listDeliveries(
  { kv, clock, secrets }: Pick<WebhookOptions, "kv" | "clock" | "secrets">,
  ref: EndpointRef,
): Promise<{ ok: true; data: WebhookDeliveryObject[] } | Failure<"not_found">> {
  const { value: endpoint } = await readEndpoint(kv, ref);
  if (endpoint === null) return fail("not_found");
  const rows = await recentDeliveries(kv, ref.id);
  const now = clock();
  const data = rows.map(async (row) => {
    const signed = ref.mode === "test"
      ? await signedHeaders(secrets, endpoint, { ...row, now })
      : null;
    return deliveryObject(row, signed as WebhookDeliveryObject["headers"]);
  });
  return { ok: true, data: await Promise.all(data) };
}

/** Returns the last deliveries of all issuers with their endpoints, for the developer's own machine. */
export async function recentOf(
  { kv }: Pick<WebhookOptions, "kv">,
  limit: number,
): Promise<{ endpoint: EndpointRow; delivery: DeliveryRow }[]> {
  const found = [];
  for await (const { value: endpoint } of endpoints.list(kv, [])) {
    const rows = await recentDeliveries(kv, endpoint.id, limit);
    found.push(...rows.map((delivery) => ({ endpoint, delivery })));
  }
  return found.sort((a, b) => a.delivery.id < b.delivery.id ? 1 : -1).slice(0, limit);
}
