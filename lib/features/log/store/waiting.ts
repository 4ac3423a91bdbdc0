import { logWaiting } from "./tables.ts";

/** Notes for whom the log waits, in the store for pages and in the log file once for each change. */
export type Waiting = ReturnType<typeof createWaiting>;

export function createWaiting(
  { kv, clock, log, required }: {
    kv: Deno.Kv;
    clock: () => number;
    log: (entry: Record<string, unknown>) => void;
    required: boolean;
  },
) {
  /** The names in the stored row; undefined before the first call, because a process before may have stored one. */
  let noted: string | null | undefined;
  let since = "";
  return {
    /** @param witnesses the names of those that are missing */
    async begin(witnesses: readonly string[]): Promise<void> {
      const names = witnesses.join(", ");
      if (names === noted) return;
      if (typeof noted !== "string") since = new Date(clock()).toISOString();
      log({ level: "warn", event: "log_waiting", witnesses: names, required });
      await kv.set(logWaiting.key(), { since, witnesses: [...witnesses], required });
      noted = names;
    },
    async end(): Promise<void> {
      if (noted === null) return;
      if (noted !== undefined) log({ level: "info", event: "log_goes_on", witnesses: noted });
      await kv.delete(logWaiting.key());
      noted = null;
    },
  };
}
