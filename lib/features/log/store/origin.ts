import { transact } from "../../../platform/kv/mod.ts";
import { logOrigin } from "./tables.ts";

/** Thrown if the store has a log of another trust host. */
export class LogOriginError extends Error {
  override readonly name = "LogOriginError";
  readonly code = "log_origin";

  constructor(readonly origin: string) {
    super(`the store's log is ${origin}; run deno task log:move, or restore the trust host`);
  }
}

/**
 * Stores the name of the log when it begins, and compares it afterwards.
 *
 * @throws {LogOriginError} (rejects) if the log has begun under another name
 */
export const noteOrigin = (kv: Deno.Kv, origin: string, now: number): Promise<void> =>
  transact(async () => {
    const entry = await logOrigin.get(kv);
    if (entry.value?.origin === origin) return { result: undefined };
    if (entry.value !== null) throw new LogOriginError(entry.value.origin);
    const commit = kv.atomic();
    logOrigin.replace(commit, entry, { origin, begun_at: new Date(now).toISOString() });
    return { result: undefined, commit };
  });
