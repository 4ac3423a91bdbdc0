import { z } from "zod";

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Give a date such as 2026-01-31, or an ISO 8601 time.",
});
const wholeNumber = (min: number, max: number) => {
  const error = `Give a whole number from ${min} to ${max}.`;
  return z.string().regex(/^\d{1,9}$/, error).transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
};

/**
 * The filters of `GET /api/bank/transactions`, as a URL carries them. Both ends are inclusive;
 * without a start the account's whole history is meant.
 *
 * @example
 * ```ts
 * const query = checkInput(transactionQuery, Object.fromEntries(ctx.url.searchParams));
 * ```
 */
export const transactionQuery = z.object({
  account_id: z.string("Name the account.").min(1, "Name the account.").max(100, "Too long."),
  start: date.optional(),
  end: date.optional(),
  limit: wholeNumber(1, 500).default(50),
  offset: wholeNumber(0, 10_000_000).default(0),
}).refine(({ start, end }) => !start || !end || Date.parse(start) <= Date.parse(end), {
  path: ["end"],
  error: "The end lies before the start.",
});

export type TransactionQuery = z.output<typeof transactionQuery>;
