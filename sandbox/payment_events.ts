/** Signed payment events as a provider would send them, for the stand-in and tests. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A request that a payment provider would send. */
export interface SignedEvent {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | string;
}

/** The fields of a payment in an event; the others have defaults. */
export interface EventOptions {
  id?: string;
  payment?: string;
  type?: string;
  /** When the event was created, in seconds since 1970. */
  created?: number;
  amount?: number;
  currency?: string;
  status?: string;
  description?: string | null;
  record?: string;
  /** When the payment was created, in seconds. Defaults to `created`. */
  since?: number;
  /** Further members of the object. */
  object?: Record<string, unknown>;
}

/** Returns an event in Stripe's shape, by default of a payment that succeeded. */
export function paymentEvent(options: EventOptions = {}): Record<string, unknown> {
  const { created = 0, payment = "pi_1", type = "payment_intent.succeeded", record } = options;
  const [kind] = type.split(".");
  return {
    id: options.id ?? "evt_1",
    object: "event",
    type,
    created,
    livemode: false,
    data: {
      object: {
        id: payment,
        object: kind,
        amount: options.amount ?? 12_500,
        currency: options.currency ?? "usd",
        status: options.status ?? "succeeded",
        created: options.since ?? created,
        description: options.description ?? null,
        metadata: record === undefined ? {} : { record },
        ...options.object,
      },
    },
  };
}

/** Signs a body in Stripe's scheme. @param time seconds since 1970 */
export function signStripe(body: string, secret: string, time: number): SignedEvent {
  const mac = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return { headers: { "stripe-signature": `t=${time},v1=${mac}` }, body };
}

/** Signs a body in the scheme of Standard Webhooks. @param time seconds since 1970 */
export function signStandard(
  body: string,
  secret: string,
  { id, time }: { id: string; time: number },
): SignedEvent {
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": new Webhook(secret).sign(id, new Date(time * 1000), body),
    },
    body,
  };
}
