import { utf8 } from "../lib/base/encoding.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { readEvent } from "../lib/features/payments/event.ts";
import { applyUpdate } from "../lib/features/payments/store.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { paymentEvent } from "../sandbox/payment_events.ts";

/** Stores the payment `pi_1` of an organisation. */
export async function addPayment(kv: Deno.Kv, organisation: OrganisationKey, now: number) {
  const at = new Date(now).toISOString();
  const { update } = unwrap(readEvent(utf8(JSON.stringify(paymentEvent())), null));
  await applyUpdate(kv, organisation, { ...update!, at, created_at: at }, now);
}
