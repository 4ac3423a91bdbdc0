import { periodIssues } from "../../base/time.ts";
import { decimalsOf } from "./money.ts";
import { type PaymentStatus, STATUSES, statusOf } from "./status.ts";
import type { Payment } from "./store.ts";

const NAMES = ["status", "from", "to", "min", "max", "currency", "page"] as const;
type FilterName = typeof NAMES[number];

export interface PaymentQuery {
  status?: PaymentStatus;
  /** First and last day, `YYYY-MM-DD` in UTC. */
  from?: string;
  to?: string;
  /** Limits of the amount in main units of any currency. */
  min?: number;
  max?: number;
  currency?: string;
  /** From 1. */
  page: number;
}

/** The filters as typed, with the query, or the issues by field. */
export type PaymentFilters =
  & { typed: Record<FilterName, string> }
  & ({ query: PaymentQuery } | { issues: Partial<Record<FilterName, string>> });

const MAX_PAGE = 10_000;
const AMOUNT = /^\d{1,12}(\.\d{1,3})?$/;

/** Reads the filters of the payments page from its URL. Empty fields are ignored. */
export function readPaymentFilters({ searchParams }: URL): PaymentFilters {
  const typed = Object.fromEntries(
    NAMES.map((name) => [name, searchParams.get(name)?.slice(0, 40).trim() ?? ""]),
  ) as Record<FilterName, string>;
  const issues: Partial<Record<FilterName, string>> = periodIssues(typed);
  const check = (name: FilterName, valid: boolean, issue: string) => {
    if (typed[name] !== "" && !valid) issues[name] = issue;
  };
  const { status, from, to, min, max, currency, page } = typed;
  check(
    "status",
    (STATUSES as readonly string[]).includes(status),
    "Choose a status from the list.",
  );
  check("min", AMOUNT.test(min), "Enter an amount, such as 12.50.");
  check("max", AMOUNT.test(max), "Enter an amount, such as 12.50.");
  check(
    "currency",
    /^[A-Z]{3}$/.test(currency),
    "Enter a code of three capital letters, such as USD.",
  );
  check("page", /^[1-9]\d{0,4}$/.test(page) && Number(page) <= MAX_PAGE, "There is no such page.");
  if (AMOUNT.test(min) && AMOUNT.test(max) && Number(max) < Number(min)) {
    issues.max ??= "The maximum is less than the minimum.";
  }
  if (Object.keys(issues).length > 0) return { typed, issues };
  const query: PaymentQuery = { page: page === "" ? 1 : Number(page) };
  if (status !== "") query.status = status as PaymentStatus;
  if (from !== "") query.from = from;
  if (to !== "") query.to = to;
  if (min !== "") query.min = Number(min);
  if (max !== "") query.max = Number(max);
  if (currency !== "") query.currency = currency;
  return { typed, query };
}

/** Returns whether a payment matches every filter except the period. */
export function matches(query: PaymentQuery, payment: Payment): boolean {
  const { status, min, max, currency } = query;
  if (currency !== undefined && payment.currency !== currency) return false;
  if (status !== undefined && statusOf(payment) !== status) return false;
  const unit = 10 ** decimalsOf(payment.currency);
  return (min === undefined || payment.amount >= Math.round(min * unit)) &&
    (max === undefined || payment.amount <= Math.round(max * unit));
}

/** Returns the URL of the payments page with filters. */
export function paymentsPath(
  query: PaymentQuery,
  change: { page?: number; format?: "csv" } = {},
): string {
  const { page, ...filters } = query;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) params.set(name, String(value));
  const shown = change.page ?? page;
  if (change.format !== undefined) params.set("format", change.format);
  else if (shown > 1) params.set("page", String(shown));
  return params.size === 0 ? "/console/payments" : `/console/payments?${params}`;
}

export const hasFilters = ({ page: _, ...filters }: PaymentQuery): boolean =>
  Object.keys(filters).length > 0;
