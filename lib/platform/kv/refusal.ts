import { StoreUnavailableError } from "./deadlines.ts";

/**
 * Why a KV Connect server refuses a call, and would refuse it again: it does not accept the access token, or
 * writes are switched off.
 */
export type StoreRefusal = "store_refused" | "store_read_only";

/** Thrown for a call that the server of a store refuses. It has changed nothing. */
export class StoreRefusedError extends Error {
  override name = "StoreRefusedError";

  constructor(readonly code: StoreRefusal, options?: ErrorOptions) {
    super("The store's server refuses this call.", options);
  }
}

/**
 * The messages of errors that Deno's client throws. Another status 400 is about the request itself, and a
 * mistake of ours. If the metadata is refused, the client does not pass on the status.
 */
const REFUSALS: [message: RegExp, refusal: StoreRefusal][] = [
  [/database is read only|writes are disabled/i, "store_read_only"],
  [/\(status=40[134]\b|Failed to fetch metadata|reads are disabled/i, "store_refused"],
];

/** Returns why the server refused a call, or undefined for any other error. */
export function refusalOf(error: unknown): StoreRefusal | undefined {
  if (error instanceof StoreRefusedError) return error.code;
  if (!(error instanceof Error)) return undefined;
  return REFUSALS.find(([message]) => message.test(error.message))?.[1];
}

/** Returns whether a call failed because the store cannot be used at all until its server has recovered. */
export const isUnusable = (error: unknown): error is StoreUnavailableError | StoreRefusedError =>
  error instanceof StoreUnavailableError || error instanceof StoreRefusedError;
