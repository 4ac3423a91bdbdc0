/** Removing the oldest deliveries of a webhook. */
import { asSite } from "../../platform/kv/mod.ts";
import { deliveries, type DeliveryList } from "./rows.ts";

/** How many deliveries of each list are kept. Held ones have a limit of their own. */
const KEPT: Readonly<Record<Exclude<DeliveryList, "held">, number>> = {
  sent: 100,
  open: 500,
};

/** How many deliveries pass before the lists are shortened, so that each row costs one more deletion. */
const EVERY = 50;
/** How many rows a commit deletes. */
const BATCH = 500;

/**
 * Keeps the lists of deliveries short. A process shortens a list after a number of deliveries, and the rest
 * when its job runs. If it dies before, the next delivery of any process does it; until then the list has
 * less than {@link EVERY} rows too many.
 */
export function createTrimmer(kv: Deno.Kv) {
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();

  async function trim(endpoint: string): Promise<void> {
    counts.delete(endpoint);
    for (const [list, kept] of Object.entries(KEPT)) {
      const limit = kept + BATCH;
      const rows = await Array.fromAsync(
        deliveries.list(kv, [endpoint, list], { limit, batchSize: BATCH, reverse: true }),
        ({ key }) => key,
      );
      if (rows.length <= kept) continue;
      const commit = kv.atomic();
      for (const key of rows.slice(kept)) commit.delete(key);
      await commit.commit();
    }
  }

  return {
    /** Notes that a delivery of an endpoint was stored. */
    noted(endpoint: string): void {
      const count = (counts.get(endpoint) ?? 0) + 1;
      counts.set(endpoint, count);
      if (count < EVERY) return;
      const step = asSite(() => trim(endpoint)).catch(() => void counts.set(endpoint, EVERY))
        .finally(() => running.delete(step));
      running.add(step);
    },
    /** Shortens all lists that this process has added to. */
    async trimAll(): Promise<void> {
      for (const endpoint of [...counts.keys()]) await trim(endpoint);
    },
    /** Resolves when no list is being shortened. */
    async settled(): Promise<void> {
      await Promise.all(running);
    },
  };
}
