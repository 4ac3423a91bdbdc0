import { type Expiring, expiring, getLive, isoAfter, transact } from "../../../platform/kv/mod.ts";
import { DAY_MS } from "../../../base/time.ts";

/**
 * The delivery state of a message. A call is `delivered` once a key was pressed, and `failed` if it
 * ended before that.
 */
export type DeliveryState = "sending" | "failed" | "delivered";

/** Why a message was not delivered. */
export type DeliveryFailure =
  | "invalid_number"
  | "unreachable"
  | "blocked"
  | "busy"
  | "unanswered"
  | "unavailable";

export interface Delivery {
  state: DeliveryState;
  /** Null unless the message failed. */
  failure: DeliveryFailure | null;
}

/** The delivery of messages by the provider's id. Numbers are not stored. */
export interface Deliveries {
  /** Returns the delivery of a message, or null before the provider has reported anything. */
  read(id: string): Promise<Delivery | null>;
  /** Stores what the provider reported. Reports that arrive late never undo a later state. */
  report(id: string, delivery: Delivery): Promise<void>;
  /** Returns the total number of messages that failed after the provider had accepted them. */
  failures(): Promise<number>;
}

type DeliveryRow = Delivery & Expiring;

const ORDER: DeliveryState[] = ["sending", "failed", "delivered"];
export const DELIVERY_LIFETIME_MS = DAY_MS;
const FAILURE_COUNT: Deno.KvKey = ["stats", "codes_undelivered"];

const key = (id: string): Deno.KvKey => ["code_deliveries", id];

export function createDeliveries(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): Deliveries {
  return {
    async read(id) {
      const entry = await getLive<DeliveryRow>(kv, key(id), clock());
      return entry === null ? null : { state: entry.value.state, failure: entry.value.failure };
    },
    report: (id, { state, failure }) =>
      transact(async () => {
        const entry = await kv.get<DeliveryRow>(key(id));
        const known = entry.value?.state;
        if (known !== undefined && ORDER.indexOf(known) >= ORDER.indexOf(state)) {
          return { result: undefined };
        }
        const now = clock();
        const row: DeliveryRow = {
          state,
          failure,
          expires_at: isoAfter(now, DELIVERY_LIFETIME_MS),
        };
        const commit = kv.atomic().check(entry).set(key(id), row, expiring(row, now));
        if (state === "failed") commit.sum(FAILURE_COUNT, 1n);
        return { result: undefined, commit };
      }),
    async failures() {
      const { value } = await kv.get<Deno.KvU64>(FAILURE_COUNT);
      return Number(value?.value ?? 0n);
    },
  };
}
