/** Reads a payment provider's webhook event into the change of a payment. */
import { z } from "zod";
import { sentHash } from "../chain/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { cleanText } from "../../base/sanitise.ts";

/** The states of a payment, apart from refunds. */
export const STATES = ["pending", "failed", "cancelled", "succeeded"] as const;
export type PaymentState = typeof STATES[number];

/** The state of a payment according to an event. */
export interface PaymentUpdate {
  /** The event's id, which takes effect once. */
  event: string;
  type: string;
  /** When the provider created the event, ISO 8601. */
  at: string;
  payment: string;
  /** Minor units of the currency. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  state: PaymentState;
  /** When the provider created the object, ISO 8601. */
  created_at: string;
  description: string | null;
  /** The hash of the record that the payment is for. */
  record: string | null;
  payer: Payer | null;
  /** Minor units; null if the object does not contain it. */
  refunded: number | null;
}

/** The person who paid, as the provider names them. At least one of the texts is known. */
export const payer = z.strictObject({ name: z.string().nullable(), email: z.string().nullable() });

type Payer = z.infer<typeof payer>;

/** Returns a payer's name with the address, as far as they are known. */
export const payerText = ({ name, email }: Payer): string =>
  name === null ? email ?? "" : email === null ? name : `${name} (${email})`;

const MAX_DESCRIPTION = 200;
const MAX_PAYER = 200;

const time = z.union([
  z.int().min(0).max(4_102_444_800).transform((seconds) => new Date(seconds * 1000).toISOString()),
  z.iso.datetime({ offset: true }).max(40).transform((text) => new Date(text).toISOString()),
]);

const eventSchema = z.object({
  id: z.string().min(1).max(255).optional(),
  type: z.string().min(1).max(100),
  created: time.optional(),
  timestamp: time.optional(),
  data: z.unknown(),
});

/** The id of a payment. */
export const reference = z.string().regex(/^[\w.:-]{1,100}$/);
const minorUnits = z.int().min(0).max(1e15);

const objectSchema = z.object({
  id: reference,
  amount: minorUnits,
  amount_received: minorUnits.nullish(),
  amount_captured: minorUnits.nullish(),
  amount_refunded: minorUnits.nullish(),
  captured: z.boolean().nullish(),
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  status: z.string().max(60),
  created: time.nullish(),
  description: z.string().nullish(),
  payment_intent: reference.nullish(),
  metadata: z.looseObject({}).nullish(),
  // An event is not refused because of them: they only describe the payment.
  billing_details: z.looseObject({}).nullish().catch(null),
  customer: z.looseObject({}).nullish().catch(null),
  receipt_email: z.string().nullish().catch(null),
});

type PaymentObject = z.output<typeof objectSchema>;

/** The providers' names of states. Other names are ignored. */
const PROVIDER_STATES: Record<string, PaymentState> = {
  succeeded: "succeeded",
  paid: "succeeded",
  completed: "succeeded",
  refunded: "succeeded",
  partially_refunded: "succeeded",
  processing: "pending",
  pending: "pending",
  open: "pending",
  requires_action: "pending",
  requires_confirmation: "pending",
  requires_capture: "pending",
  requires_payment_method: "pending",
  failed: "failed",
  canceled: "cancelled",
  cancelled: "cancelled",
  expired: "cancelled",
};

/** Events about payments: Stripe's payment intents and charges, and `payment.…` of others. */
const TYPES = /^(payment_intent|charge|payments?)\.[\w.]+$/;

/**
 * Reads the body of a verified request.
 *
 * @param eventId the id in the header, if the scheme has one there
 * @returns `update: null` for events that are not about payments
 */
export function readEvent(
  body: Uint8Array,
  eventId: string | null,
): { ok: true; update: PaymentUpdate | null } | Failure<"invalid_event"> {
  const event = eventSchema.safeParse(parseJson(body));
  if (!event.success) return invalid();
  const { type } = event.data;
  const id = eventId ?? event.data.id;
  const at = event.data.created ?? event.data.timestamp;
  const kind = TYPES.exec(type)?.[1];
  const object = objectOf(event.data.data);
  // Disputes and refunds have types that begin with `charge.` too.
  if (kind === undefined || "object" in object && object.object !== kind) {
    return { ok: true, update: null };
  }
  const payment = objectSchema.safeParse(object);
  if (!payment.success || id === undefined || at === undefined) return invalid();
  return { ok: true, update: updateOf(payment.data, { event: id, type, at }) };
}

const invalid = () => fail("invalid_event", { message: "The event is incomplete or malformed." });

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Returns the object of an event: `data.object` in Stripe's shape, and `data` in others. */
function objectOf(data: unknown): Record<string, unknown> {
  const outer = asObject(data);
  return typeof outer.object === "object" ? asObject(outer.object) : outer;
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? value as Record<string, unknown> : {};

function updateOf(
  object: PaymentObject,
  event: Pick<PaymentUpdate, "event" | "type" | "at">,
): PaymentUpdate | null {
  const state = stateOf(object, event.type);
  if (state === null) return null;
  const { id, payment_intent, currency, created, description, metadata } = object;
  const record = sentHash.safeParse(metadata?.record);
  const amount = state === "succeeded"
    ? object.amount_received || object.amount_captured || object.amount
    : object.amount;
  const refunded = object.amount_refunded ?? (object.status === "refunded" ? amount : null);
  return {
    ...event,
    payment: payment_intent ?? id,
    amount,
    currency: currency.toUpperCase(),
    state,
    created_at: created ?? event.at,
    description: shortText(description, MAX_DESCRIPTION),
    record: record.success ? record.data : null,
    payer: payerOf(object),
    refunded,
  };
}

const shortText = (text: unknown, most: number): string | null =>
  typeof text === "string" ? cleanText(text).trim().slice(0, most) || null : null;

/** Stripe's charges have billing details, and its intents an address for the receipt. */
function payerOf({ billing_details, customer, receipt_email }: PaymentObject): Payer | null {
  const known = (name: string) =>
    shortText(billing_details?.[name], MAX_PAYER) ?? shortText(customer?.[name], MAX_PAYER);
  const name = known("name");
  const email = known("email") ?? shortText(receipt_email, MAX_PAYER);
  return name === null && email === null ? null : { name, email };
}

function stateOf({ status, captured }: PaymentObject, type: string): PaymentState | null {
  // After a failed attempt, Stripe's intent waits for another payment method.
  if (type === "payment_intent.payment_failed") return "failed";
  const state = Object.hasOwn(PROVIDER_STATES, status) ? PROVIDER_STATES[status] : null;
  return state === "succeeded" && captured === false ? "pending" : state;
}
