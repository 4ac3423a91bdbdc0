import { encodeHex, utf8 } from "../lib/base/encoding.ts";

/** A request that a payment provider would send. */
export interface SignedEvent {
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | string;
}

/** The fields of a payment in an event; the others have defaults. */
export interface EventOptions {
  /** The event's id. */
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
export async function signStripe(body: string, secret: string, time: number): Promise<SignedEvent> {
  const mac = await hmac(utf8(secret), utf8(`${time}.${body}`));
  return { headers: { "stripe-signature": `t=${time},v1=${encodeHex(mac)}` }, body };
}

/** Signs a body in the scheme of Standard Webhooks. @param time seconds since 1970 */
export async function signStandard(
  body: string,
  secret: string,
  { id, time }: { id: string; time: number },
): Promise<SignedEvent> {
  const key = Uint8Array.fromBase64(secret.replace(/^whsec_/, ""));
  const mac = await hmac(key, utf8(`${id}.${time}.${body}`));
  return {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": `v1,${mac.toBase64()}`,
    },
    body,
  };
}

async function hmac(
  key: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, text));
}
