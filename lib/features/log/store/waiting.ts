import { logWaiting } from "./tables.ts";

/**
 * Notes for whom the log waits, in the store for pages and in the log file once for each change. The row is the only
 * memory, because another process may end the waiting, or may have stopped while it waited.
 */
export type Waiting = ReturnType<typeof createWaiting>;

export const createWaiting = (
  { kv, clock, log, required }: {
    kv: Deno.Kv;
    clock: () => number;
    log: (entry: Record<string, unknown>) => void;
    required: boolean;
  },
) => ({
  /** @param witnesses the names of those that are missing */
  async begin(witnesses: readonly string[]): Promise<void> {
    const { value: before } = await logWaiting.get(kv);
    const names = witnesses.join(", ");
    if (before?.witnesses.join(", ") === names && before.required === required) return;
    log({ level: "warn", event: "log_waiting", witnesses: names, required });
    const since = before?.since ?? new Date(clock()).toISOString();
    await kv.set(logWaiting.key(), { since, witnesses: [...witnesses], required });
  },

  async end(): Promise<void> {
    const { value: before } = await logWaiting.get(kv);
    if (before === null) return;
    log({ level: "info", event: "log_goes_on", witnesses: before.witnesses.join(", ") });
    await kv.delete(logWaiting.key());
  },
});
