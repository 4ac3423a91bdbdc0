import { invalidInput } from "./body.ts";

export const MAX_IDEMPOTENCY_KEY = 255;

/** Visible ASCII characters, at most {@linkcode MAX_IDEMPOTENCY_KEY}. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/**
 * Reads the `Idempotency-Key` of a request; null if there is none.
 *
 * @throws {RequestError} 400 if it is malformed
 */
export function readIdempotencyKey(req: Request): string | null {
  const key = req.headers.get("idempotency-key");
  if (key === null || IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidInput({
    "Idempotency-Key": `Use 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters.`,
  });
}
