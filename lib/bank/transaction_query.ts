import { z } from "zod";

const DAY = 86_400_000;

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Give a date such as 2026-01-31, or an ISO 8601 time.",
});
const wholeNumber = (min: number, max: number) => {
  const error = `Give a whole number from ${min} to ${max}.`;
  return z.string().regex(/^\d{1,9}$/, error).transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
};

const filters = z.object({
  account_id: z.string("Name the account.").min(1, "Name the account.").max(100, "Too long."),
  start: date.optional(),
  end: date.optional(),
  limit: wholeNumber(1, 500).default(50),
  offset: wholeNumber(0, 10_000_000).default(0),
}).refine(({ start, end }) => !start || !end || Date.parse(start) <= lastMoment(end), {
  path: ["end"],
  error: "The end lies before the start.",
});

/**
 * The filters of `GET /api/bank/transactions`, as a URL carries them. Both ends are inclusive, a
 * date as an end means all of its day; without a start the account's whole history is meant. There
 * are no others: a misspelt one that was left out would answer with more than was asked for.
 *
 * @example
 * ```ts
 * const query = checkInput(transactionQuery, Object.fromEntries(ctx.url.searchParams));
 * ```
 */
export const transactionQuery = z.record(z.string(), z.string().optional()).check((ctx) => {
  for (const name of Object.keys(ctx.value)) {
    if (Object.hasOwn(filters.shape, name)) continue;
    ctx.issues.push({
      code: "custom",
      input: ctx.value,
      path: [name],
      message: `The filters are ${Object.keys(filters.shape).join(", ")}.`,
    });
  }
}).pipe(filters);

export type TransactionQuery = z.output<typeof transactionQuery>;

/** @returns milliseconds since 1970 */
const lastMoment = (end: string) =>
  Date.parse(end) + (z.iso.date().safeParse(end).success ? DAY - 1 : 0);
