/** Stores for a day if a message with a code was delivered, as the provider reports it. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isoAfter, transact } from "../../../platform/kv/mod.ts";
import { DAY_MS, inHours } from "../../../base/time.ts";

/**
 * The delivery of a message. A call is `delivered` once a key was pressed, and `failed` if it ended
 * before that.
 */
const delivery = z.object({
  state: z.enum(["sending", "failed", "delivered"]),
  /** Why the message failed; null if it did not. */
  failure: z.enum([
    "invalid_number",
    "unreachable",
    "blocked",
    "busy",
    "unanswered",
    "unavailable",
  ]).nullable(),
});

export type Delivery = z.infer<typeof delivery>;
type DeliveryState = Delivery["state"];
export type DeliveryFailure = NonNullable<Delivery["failure"]>;

const DELIVERY_LIFETIME_MS = DAY_MS;

/** The deliveries by the provider's id of the message. */
export const deliveryTable = defineTable({
  prefix: "code_deliveries",
  value: z.strictObject({ ...delivery.shape, ...EXPIRING }),
  key: ["message"],
  owner: "nobody",
  lifetime: expires(inHours(DELIVERY_LIFETIME_MS)),
  per: "message of a code",
  privacy: {
    section: "codes",
    label: "Delivery",
    text: "Whether a message was delivered, with the provider's id of the message but without " +
      `your number, for ${inHours(DELIVERY_LIFETIME_MS)}.`,
  },
});

const ORDER: DeliveryState[] = ["sending", "failed", "delivered"];
const FAILURE_COUNT: Deno.KvKey = ["stats", "codes_undelivered"];

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Creates the store of deliveries. Numbers are not stored. */
export function createDeliveries({ kv, clock }: { kv: Deno.Kv; clock: () => number }) {
  return {
    /** Returns the delivery of a message, or null before the provider has reported anything. */
    async read(id: string): Promise<Delivery | null> {
      const entry = await deliveryTable.getLive(kv, clock(), id);
      return entry === null ? null : { state: entry.value.state, failure: entry.value.failure };
    },
    /** Stores what the provider reported. Reports that arrive late never undo a later state. */
    report: (id: string, { state, failure }: Delivery): Promise<void> =>
      transact(async () => {
        const entry = await deliveryTable.get(kv, id);
        const known = entry.value?.state;
        if (known !== undefined && ORDER.indexOf(known) >= ORDER.indexOf(state)) {
          return { result: undefined };
        }
        const now = clock();
        const expires_at = isoAfter(now, DELIVERY_LIFETIME_MS);
        const commit = kv.atomic();
        deliveryTable.replace(commit, entry, { state, failure, expires_at }, now);
        if (state === "failed") commit.sum(FAILURE_COUNT, 1n);
        return { result: undefined, commit };
      }),
    /** Returns the total number of messages that failed after the provider had accepted them. */
    async failures(): Promise<number> {
      const { value } = await kv.get<Deno.KvU64>(FAILURE_COUNT);
      return Number(value?.value ?? 0n);
    },
  };
}
