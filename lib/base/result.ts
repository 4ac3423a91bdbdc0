/**
 * The failure of a domain function. Domain functions return `{ ok: true, … }` or a failure, and
 * never throw for bad input. `unwrap` in `lib/platform/http/errors.ts` maps a failure to a response.
 */
export interface Failure<Code extends string = string> {
  ok: false;
  /** Stable code that programs may rely on, such as `rate_limited`. */
  error: Code;
  /** One sentence for people. Defaults to the message of the code's status. */
  message?: string;
  issues?: Record<string, string>;
  /** Seconds after which the same request can succeed; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Further members of the JSON error, such as an upstream's status. */
  details?: Record<string, unknown>;
}

/** Creates a {@link Failure} with a stable code and, optionally, its details. */
export function fail<Code extends string>(
  error: Code,
  details: Omit<Failure, "ok" | "error"> = {},
): Failure<Code> {
  return { ok: false, error, ...details };
}

/** A failure that ends a commit where no result can be returned. It becomes the response that the failure would. */
export class FailureError extends Error {
  override name = "FailureError";

  constructor(readonly failure: Failure) {
    super(failure.message ?? failure.error);
  }
}

export type RateLimited = Failure<"rate_limited"> & { retryAfterSeconds: number };

/** Returns the failure of a call that can succeed after `waitMs`. */
export const rateLimited = (waitMs: number): RateLimited => ({
  ok: false,
  error: "rate_limited",
  retryAfterSeconds: Math.ceil(waitMs / 1000),
});
