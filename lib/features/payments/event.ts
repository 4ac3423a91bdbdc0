import { z } from "zod";
import { hashSchema } from "../chain/mod.ts";
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
  /** Minor units; null if the object does not contain it. */
  refunded: number | null;
}

const MAX_DESCRIPTION = 200;

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

const reference = z.string().regex(/^[\w.:-]{1,100}$/);
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
  const record = hashSchema.safeParse(metadata?.record);
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
    description: cleanText(description ?? "").trim().slice(0, MAX_DESCRIPTION) || null,
    record: record.success ? record.data : null,
    refunded,
  };
}

function stateOf({ status, captured }: PaymentObject, type: string): PaymentState | null {
  // After a failed attempt, Stripe's intent waits for another payment method.
  if (type === "payment_intent.payment_failed") return "failed";
  const state = Object.hasOwn(PROVIDER_STATES, status) ? PROVIDER_STATES[status] : null;
  return state === "succeeded" && captured === false ? "pending" : state;
}
