import { isLive } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { BY_AMOUNT, type Payment, paymentRows } from "./rows.ts";

/** The key of a payment in the index by amount, without what comes before the key of its row. */
export type AmountKey = [organisation: OrganisationKey, at: string, id: string];

/** Amounts in minor units, both included. */
interface AmountRange {
  min?: number;
  max?: number;
}

/** Returns the keys of payments in one currency by amount, and then by time, the last ones first. */
export const amountKeys = (
  kv: Deno.Kv,
  of: readonly [organisation: OrganisationKey, currency: string],
  { min = -Infinity, max = Infinity }: AmountRange,
  { limit }: { limit: number },
): Promise<AmountKey[]> => {
  const prefix = [BY_AMOUNT, ...of];
  // Amounts are whole numbers.
  const range = { start: [...prefix, min], end: [...prefix, max + 0.5] };
  return Array.fromAsync(
    kv.list(range, { limit, batchSize: Math.min(limit, 500), reverse: true }),
    ({ key }) => key.slice(-3) as AmountKey,
  );
};

/** Reads payments, the newest first. */
export async function readNewest(
  kv: Deno.Kv,
  keys: readonly AmountKey[],
  now: number,
): Promise<Payment[]> {
  const order = ([, at, id]: AmountKey) => `${at} ${id}`;
  const newest = keys.toSorted((a, b) => order(a) < order(b) ? 1 : -1);
  const rows = await paymentRows.getMany(kv, newest);
  return rows.map(({ value }) => value).filter((row) => isLive(row, now));
}
