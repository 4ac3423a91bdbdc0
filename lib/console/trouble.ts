/**
 * The code of why the bank told no transactions: of the error, or of the fallback body, whose
 * reason is missing where there is no token.
 */
export const troubleOf = (answer: { error?: string; reason?: string }): string =>
  answer.error ?? answer.reason ?? "not_connected";
